/** File names by media type. Free of zod, so that browser code may import it. */
import { type FileMediaType, fileMediaTypes } from "./limits.ts";

/** The first extension is the usual one. */
const extensions: Readonly<Record<FileMediaType, readonly [string, ...string[]]>> = {
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "application/pdf": ["pdf"],
  "text/plain": ["txt"],
};

function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot < 0 ? "" : filename.slice(dot + 1).toLowerCase();
}

/** The allowed media type that a file name's extension implies, if any. */
export function mediaTypeOfName(filename: string): FileMediaType | undefined {
  const extension = extensionOf(filename);
  return fileMediaTypes.find((type) => extensions[type].includes(extension));
}

/**
 * The name to save a file under. Operating systems open a file by its extension, whatever its media type, so
 * a program that was uploaded as a PDF is saved with the extension `pdf`. A media type that is not allowed
 * gets `bin`.
 */
export function savedFilename(filename: string, mediaType: string): string {
  const type = fileMediaTypes.find((allowed) => allowed === mediaType);
  if (type === undefined) return `${filename}.bin`;
  return mediaTypeOfName(filename) === type ? filename : `${filename}.${extensions[type][0]}`;
}

/** The value of a header's parameter in UTF-8 (RFC 8187), such as `filename*`. */
export function encodeExtendedValue(text: string): string {
  const encoded = encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `UTF-8''${encoded}`;
}
