/**
 * The size of a picture by its header, before anything decodes it: 63 KB of a PNG can take 2.4 GB of a
 * browser. Free of zod and of Node's modules.
 */
import { mediaTypeOfSignature, signatureBytes } from "./file-types.ts";
import { limits } from "./limits.ts";

/** The reason for `unsupported_file`. */
export const tooManyPixels = `A picture may have ${limits.picturePixels / 1_000_000} million pixels.`;

/** The part of a byte array that reading a picture needs. */
export type PictureBytes = Pick<Uint8Array, "length" | "at">;

/** True for a JPEG, PNG, GIF or WebP of more pixels than a browser should decode; false for other bytes. */
export function hasTooManyPixels(bytes: PictureBytes): boolean {
  const [width, height] = sizeOf(bytes);
  return width * height > limits.picturePixels;
}

type Size = [width: number, height: number];

const unknown: Size = [0, 0];
/** Limits headers to more parts than any program writes: a hostile file of 4 MiB could take a second. */
const endless: Size = [Number.POSITIVE_INFINITY, 1];
const mostSteps = 65_536;

function sizeOf(bytes: PictureBytes): Size {
  switch (mediaTypeOfSignature(text(bytes, 0, signatureBytes))) {
    case "image/png":
      return [big(bytes, 16, 4), big(bytes, 20, 4)];
    case "image/jpeg":
      return jpegSize(bytes);
    case "image/gif":
      return gifSize(bytes);
    case "image/webp":
      return webpSize(bytes);
    default:
      return unknown;
  }
}

/** Skips segments, as decoders do, up to the frame header (ITU-T T.81, section B.2.2). */
function jpegSize(bytes: PictureBytes): Size {
  for (let at = 2, steps = 0; at < bytes.length; steps += 1) {
    if (steps > mostSteps) return endless;
    const marker = bytes.at(at) === 0xff ? (bytes.at(at + 1) ?? 0) : 0xff;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [big(bytes, at + 7, 2), big(bytes, at + 5, 2)];
    const isAlone = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);
    // Bytes between two segments are skipped.
    if (marker === 0xff) at += 1;
    else at += 2 + (isAlone ? 0 : big(bytes, at + 2, 2));
  }
  return unknown;
}

/** The screen, or the first frame, to which browsers enlarge it. */
function gifSize(bytes: PictureBytes): Size {
  const [width, height] = [little(bytes, 6, 2), little(bytes, 8, 2)];
  const flags = bytes.at(10) ?? 0;
  const colorTableBytes = flags < 0x80 ? 0 : 3 * 2 ** ((flags % 8) + 1);
  // Within an extension: blocks that begin with their lengths, until an empty one.
  let isExtension = false;
  for (let at = 13 + colorTableBytes, steps = 0; at < bytes.length; steps += 1) {
    if (steps > mostSteps) return endless;
    const byte = bytes.at(at) ?? 0;
    if (!isExtension && byte === 0x2c) {
      const right = little(bytes, at + 1, 2) + little(bytes, at + 5, 2);
      const bottom = little(bytes, at + 3, 2) + little(bytes, at + 7, 2);
      return [Math.max(width, right), Math.max(height, bottom)];
    }
    const isLabel: boolean = !isExtension && byte === 0x21;
    if (isLabel) at += 2;
    else at += isExtension ? 1 + byte : 1;
    isExtension = isLabel || (isExtension && byte > 0);
  }
  return [width, height];
}

function webpSize(bytes: PictureBytes): Size {
  const kind = text(bytes, 12, 4);
  if (kind === "VP8X") return [1 + little(bytes, 24, 3), 1 + little(bytes, 27, 3)];
  if (kind === "VP8 ") return [little(bytes, 26, 2) % 0x4000, little(bytes, 28, 2) % 0x4000];
  const sides = little(bytes, 21, 4);
  return kind === "VP8L" ? [1 + (sides % 0x4000), 1 + (Math.floor(sides / 0x4000) % 0x4000)] : unknown;
}

type Read<Value> = (bytes: PictureBytes, from: number, count: number) => Value;

const some: Read<number[]> = (bytes, from, count) =>
  Array.from({ length: count }, (_, index) => bytes.at(from + index) ?? 0);
const big: Read<number> = (...range) => some(...range).reduce((value, byte) => value * 256 + byte, 0);
const little: Read<number> = (...range) => some(...range).reduceRight((value, byte) => value * 256 + byte, 0);
const text: Read<string> = (...range) => String.fromCharCode(...some(...range));
