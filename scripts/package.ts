/**
 * `npm run package`: compiles the kit into `dist/shop-chat-<version>.tgz`, without the demo shop and the
 * channel. Only the files that `exports` names are public.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildName } from "./package/build-name.ts";
import { bundleElement } from "./package/bundle-element.ts";
import { compileModules, compileTypes, missingFiles } from "./package/compile.ts";
import { copyDocuments } from "./package/documents.ts";
import { notForBrowsers, packageManifest } from "./package/manifest.ts";
import { root } from "./root.ts";

const folder = join(root, "dist", "package");
rmSync(join(root, "dist"), { recursive: true, force: true });

await compileModules(folder, await bundleElement());
compileTypes(folder);

const modules = globSync("**/*.js", { cwd: folder });
const missing = missingFiles(folder, modules);
if (missing.length > 0) throw new Error(`The package lacks files:\n${missing.join("\n")}`);
const manifest = packageManifest(folder, modules);
writeFileSync(join(folder, notForBrowsers.file), notForBrowsers.code);
const unknown = Object.values(manifest.exports)
  .flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
  .filter((file) => file !== "./package.json" && !existsSync(join(folder, file)));
if (unknown.length > 0)
  throw new Error(`The package's exports name files that are not there: ${unknown.join(", ")}`);
copyDocuments(folder);
const version = `${manifest.version}-${buildName(folder)}`;
writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);

const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", join(root, "dist")], {
  cwd: folder,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const [{ filename, size, entryCount }] = JSON.parse(packed);
// For examples/, whose manifests cannot know the version.
copyFileSync(join(root, "dist", filename), join(root, "dist", "shop-chat.tgz"));
console.log(`dist/${filename}: ${entryCount} files, ${Math.round(size / 1000)} kB`);
