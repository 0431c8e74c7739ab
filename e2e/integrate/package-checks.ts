/** The package as publint, Are the types wrong? and three versions of TypeScript see it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../processes/root.ts";
import { codeBlocks } from "../../scripts/guide.ts";
import { entries } from "../../scripts/package/manifest.ts";
import type { HostApp } from "./host-app.ts";

const stores = ["redis.ts", "sql.ts"];
const typescripts = ["5.9", "6", "7"];
const packages = "next@16.4 react@19.2 react-dom@19.2 @types/react@19.2 @types/react-dom@19.2 @types/node@22";

/** The options of a strict consumer, who checks the declarations of its packages. */
const compilerOptions = {
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
