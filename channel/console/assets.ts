/** The console's stylesheet, script and icons, read once. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(import.meta.dirname, "assets");

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Changes a page's nodes into those of another; for the console's own script. */
const idiomorph = fileURLToPath(import.meta.resolve("idiomorph/dist/idiomorph.min.js"));

interface Asset {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Assets by path. Only listed files can be requested: no path is ever built from a request. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const script = { type: types[".js"] ?? "", bytes: new Uint8Array(readFileSync(idiomorph)) };
  const assets = new Map<string, Asset>([["idiomorph.js", script]]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    assets.set(relative(folder, path).split(sep).join("/"), {
      type,
      bytes: new Uint8Array(readFileSync(path)),
    });
  }
  return assets;
}
