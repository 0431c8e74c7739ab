/**
 * Compiles the channel into `dist/shop-chat-channel-<version>.tgz`: one module per source file, the
 * migrations, the pages' assets and a prepared database. `npm run package` runs it.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { prepareImage } from "../channel/db/pglite.ts";
import { root } from "../processes/root.ts";
import { compileTypes, withJavaScriptPaths } from "./package/compile-types.ts";
import { importedPackages, npmPack, withoutDeadLinks } from "./package/npm-pack.ts";

const folder = join(root, "dist", "channel");
rmSync(folder, { recursive: true, force: true });

// The channel runs without a compiler, so removing its types is all that a package needs.
const sources = globSync(["channel/**/*.ts", "lib/chat-api/**/*.ts", "e2e/contract/**/*.ts"], { cwd: root })
  .filter((file) => !/\.test\.ts$|(?:^|\/)testing\//.test(file))
  // What the contract tests take from elsewhere.
  .concat(["lib/chat-api/testing/builders.ts", "scripts/channel-command.ts", "testing/local-server.ts"])
  .concat(["attachments", "live-run"].map((name) => `e2e/support/${name}.ts`));
for (const file of sources) {
  const target = join(folder, file.replace(/ts$/, "js"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, withJavaScriptPaths(stripTypeScriptTypes(readFileSync(join(root, file), "utf8"))));
}
compileTypes(folder, ["channel/start-channel.ts", "channel/lab/lab-client.ts"]);

const assets = ["http", "console", "openapi"].map((name) => `channel/${name}/assets`);
const data = ["channel/db/migrations", "channel/agents/sandbox.json", "channel/handoffs/notices.json"];
const copied = [...data, ...assets, "docs/chat-api.md", "LICENSE"];
for (const path of copied)
  cpSync(join(root, path), join(folder, path), {
    recursive: true,
    // The snapshots are for drizzle-kit.
    filter: (source) => !source.endsWith("_snapshot.json"),
  });
await prepareImage(join(folder, "channel/db/image.tar.gz"));
const readme = readFileSync(join(root, "channel/README.md"), "utf8");
writeFileSync(join(folder, "README.md"), readme.replaceAll("](../", "]("));
writeFileSync(join(folder, "README.md"), withoutDeadLinks(folder, "README.md"));

const { pg = "*", ...dependencies } = importedPackages(folder);
npmPack(folder, {
  name: "shop-chat-channel",
  description: "The Chat API as a local program, for tests and demonstrations",
  engines: { node: ">=22.13" },
  bin: { "shop-chat-channel": "./scripts/channel-command.js" },
  exports: {
    ".": { types: "./channel/start-channel.d.ts", default: "./channel/start-channel.js" },
    "./lab": { types: "./channel/lab/lab-client.d.ts", default: "./channel/lab/lab-client.js" },
    "./package.json": "./package.json",
  },
  imports: { "#lib/*.ts": "./lib/*.js" },
  dependencies,
  peerDependencies: { pg },
  peerDependenciesMeta: { pg: { optional: true } },
});
