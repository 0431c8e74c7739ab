/** Which media types a file may have, and whether its bytes bear the type out (specification, "Upload a file"). */
import { fileTypeFromBuffer } from "file-type";
import { type FileMediaType, fileMediaTypes } from "#lib/chat-api/limits.ts";

/** As much of a file's beginning as `bytesMatch` needs: what the detector asks for. */
export const sampleBytes = 4100;

const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const byteOrderMarks = [
  Uint8Array.of(0xef, 0xbb, 0xbf),
  Uint8Array.of(0xfe, 0xff),
  Uint8Array.of(0xff, 0xfe),
];

/** The allowed media type that `declared` names, without its parameters; undefined for any other. */
export function allowedMediaType(declared: string): FileMediaType | undefined {
  const essence = declared.split(";", 1)[0]?.trim().toLowerCase();
  return fileMediaTypes.find((type) => type === essence);
}

/**
 * Whether a file that begins with `sample` can be what it was declared as. An image or a PDF must show its format's
 * signature. Text has none, and a customer's text file may be in any encoding: it must not be another format.
 */
export async function bytesMatch(mediaType: FileMediaType, sample: Uint8Array): Promise<boolean> {
  const detected = (await fileTypeFromBuffer(sample))?.mime;
  if (mediaType === "text/plain") {
    const isOther =
      detected !== undefined && (allowedMediaType(detected) !== undefined || !isTextual(sample));
    return !isOther;
  }
  // The detector tells animated PNG apart and wants a whole first chunk; to every reader it is the signature that counts.
  return detected === mediaType || (mediaType === "image/png" && startsWith(sample, pngSignature));
}

/** Text as browsers tell it from binary data (WHATWG MIME Sniffing, "rules for distinguishing if a resource is text or binary"). */
function isTextual(sample: Uint8Array): boolean {
  return byteOrderMarks.some((mark) => startsWith(sample, mark)) || !sample.some(isBinaryDataByte);
}

function isBinaryDataByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
