/** Embeds the files of `<shop-chat>` in a server module, so that any host's bundler includes them. */
import { gzipSync } from "node:zlib";
import type { ElementPart } from "./bundle-element.ts";

export function embedModule(parts: readonly ElementPart[]): string {
  const files = parts.map(({ name, code }) => [name, gzipSync(code, { level: 9 }).toString("base64")]);
  return `export const embedFiles = ${JSON.stringify(Object.fromEntries(files))};\n`;
}
