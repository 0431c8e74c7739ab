import { expect, test } from "vitest";
import { findConcepts } from "./concept-lexicon.ts";
import { detectLanguage } from "./detect-language.ts";
import { fold } from "./fold.ts";
import type { Language } from "./languages.ts";
import { readText } from "./reading.ts";
import { createSpelling, editDistance } from "./spelling.ts";
import { tokenise } from "./tokens.ts";
import { createVocabulary } from "./vocabulary.ts";

const nothing: Record<Language, string[]> = { en: [], de: [], fr: [], ar: [], ja: [] };
const vocabulary = createVocabulary(nothing, ["kestrel"]);

function conceptsIn(text: string, language: Language): string[] {
  return findConcepts(text, tokenise(text, language), language)
    .filter(({ weight }) => weight >= 0.8)
    .map(({ concept }) => concept);
}

test("folding ignores case, Arabic vowel marks, the kind of kana and of digits", () => {
  expect(fold("GRÖSSE")).toBe(fold("größe"));
  expect(fold("درّاجة")).toBe(fold("دراجة"));
  expect(fold("ヘルメット")).toBe(fold("へるめっと"));
  expect(fold("١٢٣")).toBe("123");
});

test("finds the same concept in five languages", () => {
  expect(conceptsIn("Do you have helmets?", "en")).toContain("helmet");
  expect(conceptsIn("Habt ihr Fahrradhelme?", "de")).toContain("helmet");
  expect(conceptsIn("Avez-vous des casques ?", "fr")).toContain("helmet");
  expect(conceptsIn("هل لديكم خوذات؟", "ar")).toContain("helmet");
  expect(conceptsIn("ヘルメットはありますか", "ja")).toContain("helmet");
});

test("a longer phrase outweighs the words in it, but not those in its gap", () => {
  expect(conceptsIn("a gift card", "en")).not.toContain("gift");
  expect(conceptsIn("send these socks back", "en")).toEqual(expect.arrayContaining(["return", "socks"]));
  expect(conceptsIn("to Northern Ireland", "en")).not.toContain("ireland");
});

test("a country implies its region with less weight", () => {
  const mentions = findConcepts("Spain", tokenise("Spain", "en"), "en");
  expect(mentions.map(({ concept, weight }) => [concept, weight])).toEqual([
    ["other-eu", 1],
    ["europe", 0.5],
  ]);
});

test("corrects misspelt words but leaves similar everyday words alone", () => {
  const reading = readText("do you delivr the kestrl helmt, prime minister?", "en", vocabulary);
  expect(reading.tokens.map((token) => token.word)).toEqual(
    expect.arrayContaining(["deliver", "kestrel", "helmet", "prime", "minister"]),
  );
  expect(reading.unknown.map((token) => token.word)).toEqual(["prime", "minister"]);
});

test("swapped letters count as one error", () => {
  expect(editDistance("retrun", "return")).toBe(1);
  expect(createSpelling(new Map([["return", 1]])).correct("retrun")).toBe("return");
  expect(createSpelling(new Map([["return", 1]])).correct("saturn")).toBeUndefined();
});

test("a four-letter word is never corrected at its first letter", () => {
  const spelling = createSpelling(new Map([["bars", 1]]));
  expect(spelling.correct("mars")).toBeUndefined();
  expect(spelling.correct("barz")).toBe("bars");
});

test("detects the language by letters and words; otherwise keeps the expected one", () => {
  expect(detectLanguage("Wo ist meine Bestellung?", "en")).toBe("de");
  expect(detectLanguage("où est ma commande", "en")).toBe("fr");
  expect(detectLanguage("أين طلبي", "en")).toBe("ar");
  expect(detectLanguage("注文はどこ", "en")).toBe("ja");
  expect(detectLanguage("Fell 2?", "de")).toBe("de");
  expect(detectLanguage("Fell 2", "ja")).toBe("ja");
});
