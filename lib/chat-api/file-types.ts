/** Media types of files by their names and first bytes. Free of zod, so that browser code may import it. */
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

/** How many of a file's first bytes name its media type. */
export const signatureBytes = 12;

const signatures: readonly (readonly [FileMediaType, RegExp])[] = [
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/png", /^\x89PNG\r\n.\n/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
  ["application/pdf", /^%PDF-/],
];

/** The allowed media type that a file's first bytes name, if any. */
export function signedMediaType(head: Uint8Array): FileMediaType | undefined {
  return mediaTypeOfSignature(String.fromCharCode(...head.subarray(0, signatureBytes)));
}

/** Takes each byte as a character. */
export function mediaTypeOfSignature(first: string): FileMediaType | undefined {
  return signatures.find(([, form]) => form.test(first))?.[0];
}

export interface FileEvidence {
  name: string;
  /** The declared media type: by a browser, which asks its system, or by a program. */
  type: string;
  /** The file's first bytes. */
  head: Uint8Array;
}

/**
 * The allowed media type of a file, or null if none fits. Systems declare a photo as
 * `application/octet-stream` or `image/jpg`, or as a JPEG though it is a PNG: its first bytes tell. Text has
 * no signature, so its declaration counts, or else its name.
 */
export function mediaTypeOfFile({ name, type, head }: FileEvidence): FileMediaType | null {
  const bare = type.split(";", 1).join("").trim().toLowerCase();
  const declared = fileMediaTypes.find((allowed) => allowed === bare) ?? mediaTypeOfName(name) ?? null;
  return declared === "text/plain" ? declared : (signedMediaType(head) ?? declared);
}
