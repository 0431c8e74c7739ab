/**
 * `npm run package`: compiles the kit into `dist/shop-chat-<version>.tgz`, without the demo shop and the
 * channel. Only the files that `exports` names are public.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../processes/root.ts";
import { bundleElement, elementEntry } from "./package/bundle-element.ts";
import { compileModules } from "./package/compile-modules.ts";
import { compileTypes, declareTexts } from "./package/compile-types.ts";
import { entries, notForBrowsers, packageManifest } from "./package/manifest.ts";
import { copyDocuments, npmPack } from "./package/npm-pack.ts";

const folder = join(root, "dist", "package");
rmSync(join(root, "dist"), { recursive: true, force: true });

await compileModules(folder, await bundleElement());
compileTypes(folder, [...Object.values(entries), elementEntry]);
declareTexts(folder);
const manifest = packageManifest(folder);
writeFileSync(join(folder, notForBrowsers.file), notForBrowsers.code);
copyDocuments(folder);
npmPack(folder, manifest);
