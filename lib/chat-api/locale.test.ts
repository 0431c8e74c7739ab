import fc from "fast-check";
import { expect, test } from "vitest";
import { localeTag } from "./locale.ts";
import { LocaleInput } from "./schema-parts.ts";

test.each([
  ["de-CH", "de-CH"],
  ["de_DE", "de-DE"],
  [" fr_FR ", "fr-FR"],
  ["en-US@posix", "en-US"],
  ["zh_Hant_TW.UTF-8", "zh-Hant-TW"],
  ["zh_TW_#Hant", "zh-TW"],
  ["en_US_POSIX", "en-US-POSIX"],
  ["ca_ES.utf8@valencia", "ca-ES"],
  ["de-DE,de;q=0.9,en;q=0.8", "de-DE"],
  ["en-a", "en"],
  ["de-1234567890", "de"],
  ["ja-u-ca-japanese", "ja-u-ca-japanese"],
  ["", "en"],
  ["C", "en"],
  ["C.UTF-8", "en"],
  ["POSIX", "en"],
  ["x-klingon", "en"],
  ["日本語", "en"],
  [`en${"-variant1".repeat(10)}`, "en-variant1"],
  [null, "en"],
  [undefined, "en"],
])("of %j makes the tag %s", (given, tag) => {
  expect(localeTag(given)).toBe(tag);
});

test("makes a tag that the Chat API and Intl accept of any text", () => {
  const piece = fc.constantFrom(
    "de",
    "DE",
    "Hant",
    "_",
    "-",
    ".",
    "@",
    "utf8",
    "u",
    "x",
    "419",
    "1",
    " ",
    "C",
  );
  const made = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.oneof(made, fc.string({ unit: "binary" })), (given) => {
      const tag = localeTag(given);
      expect(LocaleInput.safeParse(tag).success).toBe(true);
      expect(() => new Intl.DateTimeFormat(tag)).not.toThrow();
    }),
    { seed: 7 },
  );
});
