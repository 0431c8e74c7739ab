import { mediaTypeOfName } from "./file-names.ts";
import { type FileMediaType, fileMediaTypes } from "./limits.ts";

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
