import { expect, test } from "vitest";
import { mediaTypeOfFile } from "./file-signatures.ts";

const typeOf = (name: string, type: string, head: string) =>
  mediaTypeOfFile({ name, type, head: Buffer.from(head, "latin1") });

const jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF";
const png = "\x89PNG\r\n\x1a\n";

test.each([
  ["photo.jpg", "application/octet-stream", jpeg, "image/jpeg"],
  ["photo.jpg", "image/jpg", jpeg, "image/jpeg"],
  ["photo.jpg", "image/pjpeg", jpeg, "image/jpeg"],
  ["IMG_0001", "", jpeg, "image/jpeg"],
  ["photo.jpg", "image/jpeg", png, "image/png"],
  ["photo.jpg", "image/jpeg", "RIFF\n\n\xff\x01WEBPVP8 ", "image/webp"],
  ["a.gif", "", "GIF89a", "image/gif"],
  ["bill.pdf", "application/x-pdf", "%PDF-1.7", "application/pdf"],
  // A PDF may begin with other bytes.
  ["bill.pdf", "application/pdf", "\n\n%PDF-1.4", "application/pdf"],
  ["notes.TXT", "", "GIF89a is a format", "text/plain"],
  ["notes.txt", "application/octet-stream", "hello", "text/plain"],
  ["notes", "text/plain;charset=utf-8", "hello", "text/plain"],
  ["x.exe", "", "MZ", null],
  ["x.svg", "image/svg+xml", "<svg/>", null],
  ["photo.heic", "image/heic", "\x00\x00\x00\x18ftypheic", null],
  ["constructor", "", "", null],
])("takes %s, declared as %j, by its name and first bytes", (name, type, head, expected) => {
  expect(typeOf(name, type, head)).toBe(expected);
});
