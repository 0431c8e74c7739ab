/** The console's stylesheet, script and icons, read once. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

const folder = join(import.meta.dirname, "assets");

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

interface Asset {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Assets by path. Only listed files can be requested: no path is ever built from a request. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
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
