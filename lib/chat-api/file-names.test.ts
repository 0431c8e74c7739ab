import { expect, test } from "vitest";
import { mediaTypeOfName, savedFilename } from "./file-names.ts";

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
