/**
 * `npm run package`: compiles the kit into `dist/shop-chat-<version>.tgz`, without the demo shop and the
 * channel. Only the files that `exports` names are public.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleElement } from "./package/bundle-element.ts";
import { compileModules, compileTypes, missingFiles } from "./package/compile.ts";
import { notForBrowsers, packageManifest } from "./package/manifest.ts";
import { root } from "./root.ts";

const folder = join(root, "dist", "package");
rmSync(join(root, "dist"), { recursive: true, force: true });

const parts = await bundleElement();
await compileModules(folder, parts);
compileTypes(folder);
mkdirSync(join(folder, "element", "embed"), { recursive: true });
for (const { name, code } of parts) writeFileSync(join(folder, "element", name), code);

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
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
for (const file of ["LICENSE", "CHANGELOG.md"]) copyFileSync(join(root, file), join(folder, file));
copyFileSync(join(root, "docs", "integrate.md"), join(folder, "README.md"));

const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", join(root, "dist")], {
  cwd: folder,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const [{ filename, size, entryCount }] = JSON.parse(packed);
console.log(`dist/${filename}: ${entryCount} files, ${Math.round(size / 1000)} kB`);
console.log(readFileSync(join(folder, "package.json"), "utf8").match(/"exports": \{[\s\S]*?\n {2}\}/)?.[0]);
