import { expect, test } from "vitest";
import type { FileMediaType } from "#lib/chat-api/limits.ts";
import { bytesMatch, sampleBytes } from "./media-type.ts";

const bytes = {
  png: bytesOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\0IDAT"),
  animatedPng: bytesOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR".padEnd(33, "\0"), "\0\0\0\x08acTL".padEnd(20, "\0")),
  gif: bytesOf("GIF89a\x01\0\x01\0\x80\0\0"),
  nothing: new Uint8Array(),
  zip: bytesOf("PK\x03\x04\x14\0\0\0\x08\0".padEnd(64, "\0")),
  linuxProgram: bytesOf("\x7fELF\x02\x01\x01\0"),
  html: bytesOf("<!doctype html><script>alert(1)</script>"),
  svg: bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
};

// `e2e/contract/files.spec.ts` stores a file of each type.
test.each([
  ["animated", bytes.animatedPng],
  ["of which only the signature has arrived", bytes.png.subarray(0, 8)],
])("recognises a PNG that is %s", async (_name, sample) => {
  expect(await bytesMatch("image/png", sample)).toBe(true);
});

test("recognises a PDF behind bytes that a mail program put before it", async () => {
  expect(await bytesMatch("application/pdf", bytesOf("\r\n".repeat(20), "%PDF-1.4\n"))).toBe(true);
  expect(await bytesMatch("application/pdf", bytesOf(" ".repeat(1024), "%PDF-1.4\n"))).toBe(false);
});

const foreign: [FileMediaType, keyof typeof bytes][] = [
  ["image/png", "nothing"],
  ["application/pdf", "nothing"],
  ["image/jpeg", "svg"],
  ["image/webp", "gif"],
  ["text/plain", "zip"],
  ["text/plain", "linuxProgram"],
];
test.each(foreign)("rejects %s made of %s bytes", async (mediaType, kind) => {
  expect(await bytesMatch(mediaType, bytes[kind])).toBe(false);
});

test.each<[string, Uint8Array]>([
  ["that begins like a GIF", bytesOf("GIF89a is the format that I cannot open.")],
  ["that begins like a program", bytesOf("MZ is what the label says")],
  ["in Arabic", new TextEncoder().encode("مرحبا")],
  ["in Latin-1", bytesOf("Gr\xfc\xdfe aus K\xf6ln")],
  ["in UTF-16", new Uint8Array(Buffer.from("\uFEFFhello", "utf16le"))],
  ["that is HTML", bytes.html],
  ["of zeros, which is no known format", new Uint8Array(sampleBytes)],
])("accepts text %s as text/plain", async (_name, sample) => {
  expect(await bytesMatch("text/plain", sample)).toBe(true);
});

/** One byte per character below U+0100. */
function bytesOf(...parts: string[]): Uint8Array {
  return new Uint8Array(Buffer.from(parts.join(""), "latin1"));
}
