import { expect, test } from "vitest";
import { mediaTypeOfFile, mediaTypeOfName, savedFilename } from "./file-types.ts";

test.each([
  ["invoice.pdf", "application/pdf", "invoice.pdf"],
  ["INVOICE.PDF", "application/pdf", "INVOICE.PDF"],
  ["bike.jpeg", "image/jpeg", "bike.jpeg"],
  ["invoice.exe", "application/pdf", "invoice.exe.pdf"],
  ["invoice.pdf.exe", "application/pdf", "invoice.pdf.exe.pdf"],
  ["notes.html", "text/plain", "notes.html.txt"],
  ["bike.png", "image/jpeg", "bike.png.jpg"],
  ["invoice", "application/pdf", "invoice.pdf"],
  ["pdf", "application/pdf", "pdf.pdf"],
  ["invoice.pdf.", "application/pdf", "invoice.pdf..pdf"],
  ["invoice.pdf ", "application/pdf", "invoice.pdf .pdf"],
  ["setup.exe", "application/octet-stream", "setup.exe.bin"],
  ["page.html", "text/html", "page.html.bin"],
])("saves %s, sent as %s, as %s", (filename, mediaType, saved) => {
  expect(savedFilename(filename, mediaType)).toBe(saved);
});

test("derives an allowed media type from a file name's extension", () => {
  expect(mediaTypeOfName("a.b.WebP")).toBe("image/webp");
  for (const name of ["exe", "a.exe", "a.constructor", "a.pdf.", ""])
    expect(mediaTypeOfName(name)).toBeUndefined();
});

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
