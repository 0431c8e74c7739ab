/**
 * The packages: the chat as publint, Are the types wrong? and three versions of TypeScript see it, and the
 * channel in empty folders, by its description and with the example of tests.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import { root } from "../../processes/root.ts";
import { codeBlocks } from "../../scripts/guide.ts";
import { entries } from "../../scripts/package/manifest.ts";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { HostApp } from "./host-app.ts";

const stores = ["redis.ts", "sql.ts"];
const typescripts = ["5.9", "6", "7"];
const packages = "next@16.4 react@19.2 react-dom@19.2 @types/react@19.2 @types/react-dom@19.2 @types/node@22";

/** The options of a strict consumer, who checks the declarations of its packages. */
export const compilerOptions = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  jsx: "react-jsx",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  types: ["node"],
};

/** Runs the unit tests of docs/headless.md without a test runner, on a Node without locks and on one with. */
async function runUnitTests(app: HostApp, nodes: readonly string[]): Promise<void> {
  const page = readFileSync(join(root, "docs", "headless.md"), "utf8");
  const tests = codeBlocks(page).filter(({ file }) => file === "interface.test.ts");
  app.write(tests);
  for (const node of nodes) await app.run(`${node} --test interface.test.ts`);
}

export async function checkPackage(app: HostApp, nodes: readonly string[]): Promise<void> {
  await app.run(`npm init -y
npm pkg set type=module
npm install ../shop-chat/dist/shop-chat-[0-9]*.tgz ${packages}
npm install publint@0.3.25 @arethetypeswrong/cli@0.18.5
npx publint run --strict ../shop-chat/dist/shop-chat.tgz
npx attw --profile esm-only --exclude-entrypoints style.css -- ../shop-chat/dist/shop-chat.tgz`);
  await runUnitTests(app, nodes);
  const names = [...Object.keys(entries), "element"];
  // The stores of docs/chat-server.md, which start no program of their own.
  for (const file of stores)
    app.writeFile(file, readFileSync(join(root, "examples", "customer-chats", file), "utf8"));
  await app.run("npm install ioredis@6 pg@8 @types/pg@8");
  const imports = names.map((name, index) => `export type * as Entry${index} from "shop-chat/${name}";`);
  app.writeFile("index.ts", imports.join("\n"));
  app.writeFile("tsconfig.json", JSON.stringify({ compilerOptions, files: ["index.ts", ...stores] }));
  for (const version of typescripts) await app.run(`npm install --save-dev typescript@${version}\nnpx tsc`);
}

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

export async function checkOpenApiTypes(app: HostApp, channelUrl: string): Promise<void> {
  // The generator uses TypeScript's own API, which later versions lack.
  await app.run(`npm init -y
npm pkg set type=module
npm install --save-dev openapi-typescript typescript@5
npx openapi-typescript ${channelUrl}/v1/openapi.json -o chat-api.ts`);
  app.writeFile("use.ts", program);
  const options = { ...compilerOptions, allowImportingTsExtensions: true, types: [] };
  app.writeFile("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  await app.run("npx tsc");
}

/**
 * Starts the packed channel, calls its nine operations and verifies it by the packed contract tests. Without
 * PostgreSQL's driver, it names it.
 */
export async function callPackedChannel(app: HostApp, node: string): Promise<void> {
  await app.run("npm init -y\nnpm install ../shop-chat/dist/shop-chat-channel.tgz");
  const command = `${node} node_modules/shop-chat-channel/scripts/channel-command.js`;
  await app.run(`! ${command} --database postgres://127.0.0.1/none 2>refusal
grep 'PostgreSQL needs the package pg' refusal`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const keys = {
    CHAT_CHANNEL_KEY: testKeys.channelKey,
    CHAT_KEY: testKeys.chatKey,
    CHANNEL_TEAM_KEY: testKeys.teamKey,
  };
  await app.start(`${command} --port ${port} --pace 0 --lab`, keys, `${url}/healthz`);
  const calls = new HostApp(app.name, app.folder);
  await calls.run(`python3 ${join(root, "e2e", "nine-calls.py")}`, { ...keys, CHAT_BASE_URL: url });
  await calls.run(`${command} verify --url ${url} --exact`, keys);
  app.stop();
}

/**
 * Runs the example's tests: in Vitest a hundred of them in eight workers in front of one channel, in a
 * browser in front of the Express example, and in Python. Vitest's fail if one leaves its channel behind.
 */
export async function runExampleTests(app: HostApp, express: HostApp): Promise<void> {
  for (const each of [app, express]) await each.run("npm install");
  const tests = readFileSync(join(app.folder, "chat.test.ts"), "utf8");
  for (let copy = 2; copy <= 8; copy += 1) app.writeFile(`chat-${copy}.test.ts`, tests);
  // A busy machine may be slow.
  await app.run("npm test -- --maxWorkers=8 --testTimeout=30000");
  await app.run("npm run test:browser", { CHROMIUM_PATH: findOrInstallBrowser() });
  await app.run("python3 -m venv .venv\n.venv/bin/pip install --quiet pytest\n.venv/bin/pytest");
}
