import { expect, test } from "vitest";
import { phoneLink, safePictureUrl, safeUrl, textParts } from "./text-parts.ts";

const linksIn = (text: string) =>
  textParts(text).flatMap((part) => (part.kind === "link" ? [part.text] : []));

test("the parts of a text are the text", () => {
  for (const text of [
    "",
    "plain",
    "see https://a.example/x, or (https://b.example).",
    "<b>https://c.example</b>",
  ]) {
    expect(
      textParts(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  }
});

test("web addresses become links without the punctuation of their sentence", () => {
  expect(linksIn("See https://a.example/x?y=1#z, please.")).toEqual(["https://a.example/x?y=1#z"]);
  expect(linksIn("(https://a.example/b)")).toEqual(["https://a.example/b"]);
  expect(linksIn("https://en.wiki.example/Tarn_(lake).")).toEqual(["https://en.wiki.example/Tarn_(lake)"]);
  expect(linksIn("https://a.example/。次")).toEqual(["https://a.example/"]);
  expect(
    linksIn("返品は（https://a.example/returns）を、店は https://a.example/店舗をご覧ください。"),
  ).toEqual(["https://a.example/returns", "https://a.example/店舗"]);
  expect(linksIn("انظر https://a.example/x، من فضلك")).toEqual(["https://a.example/x"]);
});

test("#140 markup in a text stays text", () => {
  const text =
    "<script>alert(1)</script> <img src=x onerror=alert(1)> &lt; **bold** [x](javascript:alert(1))";
  expect(textParts(text)).toEqual([{ kind: "text", text }]);
});

test("#141 only plain web addresses are followed", () => {
  const refused = [
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:https://a.example/1",
    "file:///etc/passwd",
    "//evil.example",
    "https:evil.example",
    "https:\\\\evil.example",
    "https://bank.example@evil.example/",
    "https://user:pass@evil.example/",
    "https://a.example:99999/",
    `https://a.example/${"x".repeat(10_000)}`,
    " https://a.example",
    "",
  ];
  for (const address of refused) expect(safeUrl(address), address).toBeNull();
  expect(safeUrl(null)).toBeNull();
  expect(safeUrl("HTTPS://a.example/b")?.href).toBe("https://a.example/b");
});

test("#141 a look-alike host is shown in ASCII", () => {
  expect(safeUrl("https://аpple.example/")?.hostname).toBe("xn--pple-43d.example");
});

test("#143 pictures come encrypted, or from the shop itself", () => {
  const own = "http://localhost:3000";
  expect(safePictureUrl("https://cdn.example/a.webp", own)).toBe("https://cdn.example/a.webp");
  expect(safePictureUrl("http://localhost:3000/shop/a.webp", own)).toBe("http://localhost:3000/shop/a.webp");
  expect(safePictureUrl("https://cdn.example/a.webp", own, ["https://cdn.example"])).toBe(
    "https://cdn.example/a.webp",
  );
  expect(safePictureUrl("https://other.example/a.webp", own, ["https://cdn.example"])).toBeNull();
  expect(safePictureUrl("http://localhost:3000/shop/a.webp", own, [])).toBe(
    "http://localhost:3000/shop/a.webp",
  );
  expect(safePictureUrl("http://cdn.example/a.webp", own)).toBeNull();
  expect(safePictureUrl("http://192.168.0.1/a.webp", own)).toBeNull();
  expect(safePictureUrl("data:image/svg+xml,<svg/>", own)).toBeNull();
});

test("#146 only telephone numbers are called", () => {
  expect(phoneLink("+44 1632 960101")).toBe("tel:+441632960101");
  expect(phoneLink("(01632) 960-101")).toBe("tel:01632960101");
  for (const phone of ["javascript:alert(1)", "0800-FLOWERS", "", "1", null])
    expect(phoneLink(phone)).toBeNull();
});
