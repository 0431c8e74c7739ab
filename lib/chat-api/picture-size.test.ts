/** Headers of pictures, real and hostile. `e2e/bff/browser.spec.ts` and the contract send whole pictures. */
import { expect, test } from "vitest";
import { hasTooManyPixels } from "./picture-size.ts";

const bytesOf = (...parts: (string | Uint8Array)[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part))),
  );
const be = (value: number, count: number) => Buffer.from(value.toString(16).padStart(2 * count, "0"), "hex");
const le = (value: number, count: number) => be(value, count).reverse();

const jpegFrame = (width: number, height: number, marker = "\xff\xc2") =>
  bytesOf(marker, be(17, 2), "\x08", be(height, 2), be(width, 2), "\x03".padEnd(10, "\0"));
const jpeg = (...parts: (string | Uint8Array)[]) =>
  bytesOf("\xff\xd8", ...parts.map((part) => (typeof part === "string" ? part : Buffer.from(part))));
const segment = (marker: string, content: string) => bytesOf(marker, be(content.length + 2, 2), content);
const gif = (width: number, height: number, rest = "") =>
  bytesOf("GIF89a", le(width, 2), le(height, 2), "\x80\0\0", "\0".repeat(6), rest);
const gifFrame = (width: number, height: number) =>
  `,\0\0\0\0${bytesToText(le(width, 2))}${bytesToText(le(height, 2))}\0`;
const bytesToText = (bytes: Buffer) => bytes.toString("latin1");
const webp = (kind: string, ...rest: (string | Buffer)[]) =>
  bytesOf("RIFF\0\0\0\0WEBP", kind, "\0\0\0\0", ...rest);
const lossless = (width: number, height: number) => le(width - 1 + (height - 1) * 0x4000, 4);

/** Each kind with a size of exactly fifty million pixels, and with a row more. */
const kinds: Record<string, (width: number, height: number) => Uint8Array> = {
  PNG: (width, height) => bytesOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", be(width, 4), be(height, 4)),
  "JPEG after its metadata": (width, height) =>
    jpeg(segment("\xff\xe1", `Exif${bytesToText(Buffer.from(jpegFrame(1, 1)))}`), jpegFrame(width, height)),
  "JPEG with fill bytes": (width, height) => jpeg("\xff\xff\xff", jpegFrame(width, height, "\xc0")),
  "JPEG with bytes between its segments": (width, height) =>
    jpeg(segment("\xff\xe0", "JFIF"), "\0\x01\xff\0", jpegFrame(width, height)),
  GIF: (width, height) => gif(width, height, gifFrame(1, 1)),
  "GIF with a large frame": (width, height) =>
    gif(1, 1, `!\xff\x0bNETSCAPE2.0\x03\x01,,\0!\xf9\x04\0\0\0\0\0${gifFrame(width, height)}`),
  "lossy WebP": (width, height) => webp("VP8 ", "\0\0\0\x9d\x01\x2a", le(width, 2), le(height, 2)),
  "lossless WebP": (width, height) => webp("VP8L", "\x2f", lossless(width, height)),
  "extended WebP": (width, height) => webp("VP8X", "\0\0\0\0", le(width - 1, 3), le(height - 1, 3)),
};

test.each(Object.entries(kinds))("limits the pixels of a %s", (_, pictureOf) => {
  expect(hasTooManyPixels(pictureOf(10_000, 5_000))).toBe(false);
  expect(hasTooManyPixels(pictureOf(10_000, 5_001))).toBe(true);
});

test("lets other bytes and truncated headers pass, which no browser decodes", () => {
  for (const whole of [...Object.values(kinds).map((pictureOf) => pictureOf(9, 9)), bytesOf("%PDF-1.7")])
    for (let length = 0; length <= whole.length; length += 1)
      expect(hasTooManyPixels(whole.subarray(0, length))).toBe(false);
  expect(hasTooManyPixels(jpeg(segment("\xff\xda", "scan"), "\xff\xd9"))).toBe(false);
});

test("reads a bounded number of bytes of a hostile header, and refuses one without an end", () => {
  const size = 4 * 1024 * 1024;
  for (const start of [
    "\xff\xd8\xff",
    "GIF89a".padEnd(13, "\0"),
    "GIF89a".padEnd(13, "\0").concat("!\xff"),
  ]) {
    for (const filler of ["\xff", "\0", "\xff\0", "\xff\xe0\0\0", "!\xff", "\x01"]) {
      const bytes = bytesOf(start.padEnd(size, filler));
      let reads = 0;
      const at = (index: number) => {
        reads += 1;
        return bytes[index];
      };
      hasTooManyPixels({ length: size, at });
      expect(reads, JSON.stringify([start, filler])).toBeLessThan(500_000);
    }
  }
  expect(hasTooManyPixels(bytesOf("\xff\xd8\xff".padEnd(size, "\0"), jpegFrame(60_000, 60_000)))).toBe(true);
});
