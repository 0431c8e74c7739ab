import { expect, test } from "vitest";
import { createFormat } from "../format/format.ts";
import { type Language, languageOf, languages, loadStrings } from "./languages.ts";
import { counted, fill, type Plural } from "./strings.ts";

type Sentence = { path: string; text: string | Plural };

/** Every string of a dictionary with its path, such as `form.save`. */
async function sentencesOf(language: Language): Promise<Sentence[]> {
  const collect = (value: unknown, path: string): Sentence[] => {
    if (typeof value === "string") return [{ path, text: value }];
    if (typeof value !== "object" || value === null) return [];
    if ("other" in value) return [{ path, text: value as Plural }];
    return Object.entries(value).flatMap(([name, inner]) =>
      collect(inner, path === "" ? name : `${path}.${name}`),
    );
  };
  return collect(await loadStrings(language), "");
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test("has the same keys in every language, and the same placeholders outside plurals", async () => {
  const english = await sentencesOf("en");
  for (const language of languages) {
    const sentences = new Map((await sentencesOf(language)).map(({ path, text }) => [path, text]));
    expect([...sentences.keys()], language).toEqual(english.map(({ path }) => path));
    for (const { path, text } of english) {
      const other = sentences.get(path);
      if (typeof text !== "string" || typeof other !== "string") continue;
      expect(placeholders(other), `${language} ${path}`).toEqual(placeholders(text));
      expect(other.trim(), `${language} ${path}`).not.toBe("");
    }
  }
});

test("has the plural forms that each language uses", async () => {
  for (const language of languages) {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const { path, text } of await sentencesOf(language)) {
      if (typeof text === "string") continue;
      for (const category of categories)
        expect(text[category], `${language} ${path} ${category}`).toBeDefined();
    }
  }
});

test("finds the language of a tag and falls back to English", () => {
  expect(languageOf("de-CH")).toBe("de");
  expect(languageOf("AR-EG")).toBe("ar");
  expect(languageOf("pt")).toBe("en");
  expect(languageOf("constructor")).toBe("en");
});

test("chooses the plural form by the customer's language", async () => {
  const [english, arabic] = await Promise.all([loadStrings("en"), loadStrings("ar")]);
  expect(counted(english.citations.count, 1, createFormat({ locale: "en" }))).toBe("1 source");
  expect(counted(english.citations.count, 20, createFormat({ locale: "en" }))).toBe("20 sources");
  expect(counted(arabic.citations.count, 2, createFormat({ locale: "ar" }))).toBe("مصدران");
});

test("does not expand values and keeps unknown placeholders", () => {
  expect(fill("{name} says: {text}", { name: "{text}", text: "$& {name}" })).toBe("{text} says: $& {name}");
  expect(fill("{other}", { name: "x" })).toBe("{other}");
  expect(fill("{constructor}", {})).toBe("{constructor}");
});
