/** The media types that a file may have, and whether its bytes match (docs/chat-api.md, "Limits"). */
import { fileTypeFromBuffer } from "file-type";
import { type FileMediaType, fileMediaTypes } from "#lib/chat-api/limits.ts";

/** How many leading bytes `bytesMatch` needs: the detector's own sample size. */
export const sampleBytes = 4100;

const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const byteOrderMarks = [
  Uint8Array.of(0xef, 0xbb, 0xbf),
  Uint8Array.of(0xfe, 0xff),
  Uint8Array.of(0xff, 0xfe),
];

/** The allowed media type that `declared` names, ignoring parameters; undefined for any other. */
export function allowedMediaType(declared: string): FileMediaType | undefined {
  const essence = declared.split(";", 1)[0]?.trim().toLowerCase();
  return fileMediaTypes.find((type) => type === essence);
}

/** PDF readers look for the signature in this many bytes: mail programs put others before it. */
const pdfStart = 1024;

/**
 * Whether a file that starts with `sample` can be of the declared type. Images and PDFs must show their
 * signature. Text has no signature and may be in any encoding and begin with any letters, so it is accepted
 * unless it has the signature of a format together with binary bytes.
 */
export async function bytesMatch(mediaType: FileMediaType, sample: Uint8Array): Promise<boolean> {
  if (mediaType === "application/pdf") return Buffer.from(sample.subarray(0, pdfStart)).includes("%PDF-");
  if (mediaType === "text/plain" && isTextual(sample)) return true;
  const detected = (await fileTypeFromBuffer(sample))?.mime;
  if (mediaType === "text/plain") return detected === undefined;
  // The detector reports animated PNG separately and needs a whole first chunk; the signature is enough.
  return detected === mediaType || (mediaType === "image/png" && startsWith(sample, pngSignature));
}

/** Whether browsers would take the data for text (WHATWG MIME Sniffing). */
function isTextual(sample: Uint8Array): boolean {
  return byteOrderMarks.some((mark) => startsWith(sample, mark)) || !sample.some(isBinaryDataByte);
}

function isBinaryDataByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
