import fc from "fast-check";
import { expect, test } from "vitest";
import { attachmentDisposition, storableFilename } from "./filename.ts";

test.each([
  ["photo.jpg", "photo.jpg"],
  ["Grüße an Zoë 🚲.pdf", "Grüße an Zoë 🚲.pdf"],
  ["say %22hi%22.txt", 'say "hi".txt'],
  ["100%25.txt", "100%25.txt"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\invoice.pdf", "invoice.pdf"],
  ["a/b\\c", "c"],
  ["line%0D%0Abreak.txt", "linebreak.txt"],
  ["tab\there.txt", "tabhere.txt"],
  ["nul\u0000.txt", "nul.txt"],
  ["  spaced .txt ", "spaced .txt"],
  ["CON", "CON"],
  [".htaccess", ".htaccess"],
  ["\u202Egpj.exe", "\u202Egpj.exe"],
  ["", "file.png"],
  ["..", "file.png"],
  ["......", "file.png"],
  ["folder/", "file.png"],
])("stores the name %j as %j", (given, kept) => {
  expect(storableFilename(given, "image/png")).toBe(kept);
});

test("keeps a name of 300 characters whole", () => {
  const name = `${"n".repeat(296)}.txt`;
  expect(storableFilename(name, "text/plain")).toBe(name);
});

test("shortens a name above the limit but keeps its extension", () => {
  const kept = storableFilename(`${"🚲".repeat(5000)}.jpeg`, "image/jpeg");
  expect([...kept]).toHaveLength(1024);
  expect(kept).toMatch(/🚲\.jpeg$/u);
  expect(storableFilename(`a.${"x".repeat(5000)}`, "text/plain")).toHaveLength(1024);
});

test("sanitising a name is idempotent and always yields a storable name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (given) => {
      const kept = storableFilename(given, "text/plain");
      expect(kept).not.toMatch(/[\p{Cc}/\\]/u);
      expect(kept.isWellFormed()).toBe(true);
      expect(kept).not.toMatch(/^\.*$/);
      // A second pass decodes `%22` again, as in a form; nothing else may change.
      fc.pre(!/%(?:22|0A|0D)/.test(kept));
      expect(storableFilename(kept, "text/plain")).toBe(kept);
    }),
  );
});

test.each([
  ["photo.jpg", 'attachment; filename="photo.jpg"'],
  ["my photo (1).jpg", 'attachment; filename="my photo (1).jpg"'],
  ['a"b.txt', "attachment; filename=\"a_b.txt\"; filename*=UTF-8''a%22b.txt"],
  ["50% off.txt", "attachment; filename=\"50_ off.txt\"; filename*=UTF-8''50%25%20off.txt"],
  [
    "Zoë's (1)*.pdf",
    "attachment; filename=\"Zo_'s (1)*.pdf\"; filename*=UTF-8''Zo%C3%AB%27s%20%281%29%2A.pdf",
  ],
  ["🚲.png", "attachment; filename=\"_.png\"; filename*=UTF-8''%F0%9F%9A%B2.png"],
  ["\u202Egpj.exe", 'attachment; filename="gpj.exe"'],
  ["\u2066", 'attachment; filename="file"'],
])("the disposition of %j is %s", (name, disposition) => {
  expect(attachmentDisposition(name)).toBe(disposition);
});

test("a short stored name without bidi controls survives Content-Disposition", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (given) => {
      const name = storableFilename(given, "text/plain");
      fc.pre([...name].length <= 150 && !/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(name));
      const header = attachmentDisposition(name);
      expect(header).toMatch(
        /^attachment; filename="[ !#$&-[\]-~]*"(?:; filename\*=UTF-8''[A-Za-z0-9%!~._-]+)?$/,
      );
      expect(new Headers({ "content-disposition": header }).get("content-disposition")).toBe(header);
      const extended = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
      expect(extended === undefined ? /"(.*)"/.exec(header)?.[1] : decodeURIComponent(extended)).toBe(name);
    }),
  );
});
