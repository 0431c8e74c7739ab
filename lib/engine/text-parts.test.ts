import { expect, onTestFinished, test, vi } from "vitest";
import { safePictureUrl } from "./shown.ts";
import { phoneLink, safeUrl, textParts } from "./text-parts.ts";

const linksIn = (text: string) =>
  textParts(text).flatMap((part) => (part.kind === "link" ? [part.text] : []));

test("splits a text into parts that add up to it", () => {
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

test("links web addresses without the punctuation that follows them", () => {
  expect(linksIn("See https://a.example/x?y=1#z, please.")).toEqual(["https://a.example/x?y=1#z"]);
  expect(linksIn("(https://a.example/b)")).toEqual(["https://a.example/b"]);
  expect(linksIn("https://en.wiki.example/Tarn_(lake).")).toEqual(["https://en.wiki.example/Tarn_(lake)"]);
  expect(linksIn("https://a.example/。次")).toEqual(["https://a.example/"]);
  expect(
    linksIn("返品は（https://a.example/returns）を、店は https://a.example/店舗をご覧ください。"),
  ).toEqual(["https://a.example/returns", "https://a.example/店舗"]);
  expect(linksIn("انظر https://a.example/x، من فضلك")).toEqual(["https://a.example/x"]);
});

test.each([
  ["**https://a.example/b**", "https://a.example/b"],
  ["**https://a.example/b**, and", "https://a.example/b"],
  ["*https://a.example/b*.", "https://a.example/b"],
  ["_https://a.example/b_", "https://a.example/b"],
  ["~~https://a.example/b~~", "https://a.example/b"],
  ["`https://a.example/b`", "https://a.example/b"],
  ["|https://a.example/b|c|", "https://a.example/b"],
  ["[the page](https://a.example/b).", "https://a.example/b"],
  ["<https://a.example/b>.", "https://a.example/b"],
  ["„https://a.example/b“ steht", "https://a.example/b"],
  ["‚https://a.example/b‘", "https://a.example/b"],
  ["»https://a.example/b«", "https://a.example/b"],
  ["«\u00a0https://a.example/b\u00a0»", "https://a.example/b"],
  ["«https://a.example/b»،", "https://a.example/b"],
  ["“https://a.example/b”؟", "https://a.example/b"],
  ["‘https://a.example/b’.", "https://a.example/b"],
  ["‹https://a.example/b›", "https://a.example/b"],
  ["「https://a.example/b」を", "https://a.example/b"],
  ["『https://a.example/b』", "https://a.example/b"],
  ["https://a.example/b…", "https://a.example/b"],
  ["https://a.example/b...", "https://a.example/b"],
  ["https://a.example/b_(wiki)", "https://a.example/b_(wiki)"],
  ["https://a.example/b_[other]", "https://a.example/b_[other]"],
  ["https://a.example/b_{I'm}", "https://a.example/b_{I'm}"],
  ["https://a.example/b-(with-(nested)).", "https://a.example/b-(with-(nested))"],
  ["https://a.example/(b) (c)", "https://a.example/(b)"],
  ["[https://a.example/b.jpg)]", "https://a.example/b.jpg"],
  ["https://a.example/f(g(h),%221%22)&t=1", "https://a.example/f(g(h),%221%22)&t=1"],
  ["https://a.example/b--c-", "https://a.example/b--c-"],
  ["https://a.example/@1.5,2.25,15z", "https://a.example/@1.5,2.25,15z"],
  ["https://a.example/1...2", "https://a.example/1...2"],
  ["https://a.example/L’Été", "https://a.example/L’Été"],
  ["https://a.example/*/b", "https://a.example/*/b"],
  ["https://bücher.example/ñ", "https://bücher.example/ñ"],
])("links in %s the address alone", (text, address) => {
  expect(linksIn(text)).toEqual([address]);
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test("links both addresses of a Markdown link whose text is one", () => {
  expect(linksIn("[https://a.example](https://a.example/b) ok")).toEqual([
    "https://a.example",
    "https://a.example/b",
  ]);
});

test("links email addresses and telephone numbers", () => {
  const contactsIn = (text: string) =>
    textParts(text).flatMap((part) => (part.kind === "contact" ? [[part.text, part.href]] : []));
  expect(contactsIn("Write to help+uk@tarn.example.")).toEqual([
    ["help+uk@tarn.example", "mailto:help+uk@tarn.example"],
  ]);
  expect(contactsIn("メールはsupport@tarn.exampleまで。")).toHaveLength(1);
  for (const [phone, href] of [
    ["+44 1632 960101", "tel:+441632960101"],
    ["+44 (0)1632 960101", "tel:+441632960101"],
    ["01632 960101", "tel:01632960101"],
    ["(01632) 960101", "tel:01632960101"],
    ["03-1234-5678", "tel:0312345678"],
    ["01 23 45 67 89", "tel:0123456789"],
    ["+441632960101", "tel:+441632960101"],
  ])
    expect(contactsIn(`Call ${phone}, or come by.`)).toEqual([[phone, href]]);
});

test("links no dates, references, prices or bar codes as telephone numbers", () => {
  for (const text of [
    "on 02.06.2026 at 09:30",
    "05-06-2026 10:00",
    "2026-06-02",
    "TT-10482, W-0123-4567 and 0012345678905",
    "order 0123456789",
    "+5 degrees, 0.75 l and 01/02/2026",
    "user@localhost",
  ])
    expect(textParts(text)).toEqual([{ kind: "text", text }]);
});

test("links at most a hundred addresses of a text", () => {
  const canParse = vi.spyOn(URL, "canParse");
  onTestFinished(() => canParse.mockRestore());
  for (const address of ["https://a.example/x", "https://user@evil.example"]) {
    canParse.mockClear();
    const text = Array.from({ length: 3_000 }, () => address).join(" ");
    const parts = textParts(text);
    expect(parts.filter(({ kind }) => kind === "link").length).toBeLessThanOrEqual(100);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(canParse).toHaveBeenCalledTimes(100);
  }
  const links = Array.from({ length: 100 }, (_, index) => `https://a.example/${index}`);
  expect(linksIn(links.join(", "))).toEqual(links);
});

// A pattern that retries from each character would take minutes.
test("reads a long run of punctuation in linear time", () => {
  const address = `https://a.example/${".".repeat(500_000)}x`;
  expect(textParts(`${address}.`)).toEqual([{ kind: "text", text: `${address}.` }]);
  expect(linksIn(`https://a.example/${".".repeat(500_000)}`)).toEqual(["https://a.example/"]);
});

test("shows markup as text", () => {
  const text =
    "<script>alert(1)</script> <img src=x onerror=alert(1)> &lt; **bold** [x](javascript:alert(1))";
  expect(textParts(text)).toEqual([{ kind: "text", text }]);
});

test("links only plain http and https addresses", () => {
  const unsafe = [
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
  for (const address of unsafe) expect(safeUrl(address), address).toBeNull();
  expect(safeUrl(null)).toBeNull();
  expect(safeUrl("HTTPS://a.example/b")?.href).toBe("https://a.example/b");
});

test("shows an internationalised host in ASCII", () => {
  expect(safeUrl("https://аpple.example/")?.hostname).toBe("xn--pple-43d.example");
});

test("loads pictures over https or from the shop's own origin", () => {
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

test("links only telephone numbers", () => {
  expect(phoneLink("+44 1632 960101")).toBe("tel:+441632960101");
  expect(phoneLink("(01632) 960-101")).toBe("tel:01632960101");
  for (const phone of ["javascript:alert(1)", "0800-FLOWERS", "", "1", null])
    expect(phoneLink(phone)).toBeNull();
});
