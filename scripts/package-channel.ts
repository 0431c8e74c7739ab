/**
 * Compiles the channel into `dist/shop-chat-channel-<version>.tgz`: one module per source file, the
 * migrations, the pages' assets and a prepared database. `npm run package` runs it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules, stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { prepareImage } from "../channel/db/pglite.ts";
import { buildName } from "./package/build-name.ts";
import { withoutDeadLinks } from "./package/documents.ts";
import { root } from "./root.ts";

const folder = join(root, "dist", "channel");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** The relative imports of a module, which name the sources. */
const relative = /(?<before>\b(?:from|import) ?\(?")(?<path>\.{1,2}\/[^"]+)\.ts"/g;
const named = (text: string) => text.replaceAll(relative, '$<before>$<path>.js"');

// The channel runs without a compiler, so removing its types is all that a package needs.
const sources = globSync(["channel/**/*.ts", "lib/chat-api/**/*.ts"], { cwd: root }).filter(
  (file) => !/\.test\.ts$|(?:^|\/)testing\//.test(file),
);
for (const file of sources) write(file.replace(/ts$/, "js"), stripTypeScriptTypes(read(file)));

const settings = join(root, ".package-channel.json");
const compilerOptions = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  incremental: false,
  allowJs: false,
  rootDir: root,
  outDir: folder,
  plugins: [],
  types: ["node"],
};
try {
  const files = [join(root, "channel/start-channel.ts")];
  writeFileSync(
    settings,
    JSON.stringify({ extends: "./tsconfig.json", compilerOptions, include: [], files }),
  );
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [compiler, "-p", settings], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("The types were not compiled");
} finally {
  rmSync(settings);
}
for (const file of globSync("**/*.d.ts", { cwd: folder }))
  writeFileSync(join(folder, file), named(readFileSync(join(folder, file), "utf8")));

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function write(file: string, code: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), named(code));
}

for (const path of ["channel/db/migrations", "channel/http/assets", "docs/chat-api.md"])
  cpSync(join(root, path), join(folder, path), { recursive: true });
rmSync(join(folder, "channel/db/migrations/meta"), { recursive: true });
const journal = "channel/db/migrations/meta/_journal.json";
mkdirSync(dirname(join(folder, journal)), { recursive: true });
cpSync(join(root, journal), join(folder, journal));
await prepareImage(join(folder, "channel/db/image.tar.gz"));

const source: { version: string; license: string; dependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const modules = globSync("**/*.js", { cwd: folder });
const imported = modules.flatMap((file) =>
  Array.from(
    readFileSync(join(folder, file), "utf8").matchAll(
      /(?:\bfrom |^import |\bimport\(|import\.meta\.resolve\()"(@?[a-z][^"\s]*)"/gm,
    ),
    ([, name = ""]) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"),
  ),
);
const names = [...new Set(imported)].filter(
  (name) => !name.startsWith("node:") && !builtinModules.includes(name),
);
const versions = Object.fromEntries(
  names.toSorted().map((name) => {
    const version = source.dependencies[name];
    if (version === undefined) throw new Error(`The channel imports ${name}, which is not a dependency`);
    return [name, `^${version}`];
  }),
);
const { pg = "*", ...dependencies } = versions;
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
writeFileSync(join(folder, "README.md"), read("channel/README.md").replaceAll("](../", "]("));
writeFileSync(join(folder, "README.md"), withoutDeadLinks(folder, "README.md"));
const manifest = {
  name: "shop-chat-channel",
  version: `${source.version}-${buildName(folder)}`,
  description: "The Chat API as a local program, for tests and demonstrations",
  license: source.license,
  type: "module",
  engines: { node: ">=22.13" },
  bin: { "shop-chat-channel": "./channel/bin.js" },
  exports: {
    ".": { types: "./channel/start-channel.d.ts", default: "./channel/start-channel.js" },
    "./package.json": "./package.json",
  },
  imports: { "#lib/*.ts": "./lib/*.js" },
  dependencies,
  peerDependencies: { pg },
  peerDependenciesMeta: { pg: { optional: true } },
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", join(root, "dist")], {
  cwd: folder,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const [{ filename, size, entryCount }] = JSON.parse(packed);
// For examples/, whose manifests cannot know the version.
cpSync(join(root, "dist", filename), join(root, "dist", "shop-chat-channel.tgz"));
console.log(`dist/${filename}: ${entryCount} files, ${Math.round(size / 1000)} kB`);
