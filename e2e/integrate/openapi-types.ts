/** Generates types from the channel's OpenAPI description and compiles a program with them. */
import type { HostApp } from "./host-app.ts";

/** The switch is complete without a default, so the events must be a union that `event` tells apart. */
const program = `import type { paths } from "./chat-api.ts";

type Send = paths["/v1/channels/{channelKey}/chats/{chatId}/messages"]["post"];
type Answer = Send["responses"][200 | 201]["content"];

export const body: Send["requestBody"]["content"]["application/json"] = { text: "Hello" };

export function textOf(answer: Answer[keyof Answer]): string | null {
  if ("item" in answer) return answer.item.reply?.text ?? null;
  switch (answer.event) {
    case "start":
      return answer.data.replyId;
    case "delta":
      return answer.data.text;
    case "done":
      return answer.data.item.chat.id;
    case "error":
      return answer.data.error.code;
  }
}
`;

const compilerOptions = {
  module: "nodenext",
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
};

export async function checkOpenApiTypes(app: HostApp, channelUrl: string): Promise<void> {
  // The generator uses TypeScript's own API, which later versions lack.
  await app.run(`npm init -y
npm pkg set type=module
npm install --save-dev openapi-typescript typescript@5
npx openapi-typescript ${channelUrl}/v1/openapi.json -o chat-api.ts`);
  app.writeFile("use.ts", program);
  app.writeFile("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  await app.run("npx tsc");
}
