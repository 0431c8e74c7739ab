import { expect, test } from "vitest";
import { createFormat } from "../format/format.ts";
import { builtInLanguages, languageFor, loadTexts } from "./built-in.ts";
import { missingStrings, stringsSchema } from "./check.ts";
import { customTexts } from "./custom-texts.ts";
import english from "./en.json" with { type: "json" };
import { counted, fill } from "./strings.ts";

test.each(Object.entries(builtInLanguages))("has every text and plural form: %s", async (tag, language) => {
  const { default: texts } = await language.texts();
  expect(missingStrings(tag, { ...language, texts })).toEqual([]);
});

test("lists what a language lacks, by path", () => {
  const { save: _, ...form } = english.form;
  const texts = { ...english, form, panel: { ...english.panel, titel: "?" }, links: { opens: " " } };
  const welcome = { ...english.welcome, text: "{agent} answers." };
  const found = missingStrings("pl", { launcher: undefined, texts: { ...texts, welcome } });
  const problems = Object.fromEntries(found.map(({ path, problem }) => [path, problem]));
  expect(problems).toMatchObject({
    "launcher.open": "missing",
    "texts.form.save": "missing",
    "texts.links.opens": "missing",
    "texts.citations.count.few": "missing",
    "texts.panel.titel": "unknown",
    "texts.welcome.text": "placeholders",
  });
  expect(problems).not.toHaveProperty(["texts.citations.count.other"]);
});

test("describes the file in a schema, whose languages are whole and whose overrides are not", () => {
  expect(stringsSchema()).toMatchObject({
    properties: {
      strings: { properties: { launcher: { properties: { open: { type: "string" } } } } },
      languages: { additionalProperties: { properties: { texts: { required: Object.keys(english) } } } },
    },
  });
  expect(stringsSchema()).not.toHaveProperty("properties.strings.required");
});

test("finds the closest language of a tag, the shop's before its own, else English", () => {
  const shops = { launcher: builtInLanguages.de.launcher, texts: english } as const;
  const added = { pt: shops, "pt-BR": shops, fr: shops };
  const tagOf = (locale: string) => languageFor(locale, added).tag;
  expect(["de-CH", "AR-EG", "pt-br", "pt-PT", "sv", "constructor", ""].map(tagOf)).toEqual([
    "de",
    "ar",
    "pt-BR",
    "pt",
    "en",
    "en",
    "en",
  ]);
  expect(languageFor("fr-CA", added).texts).toBe(english);
  expect(languageFor("ar").direction).toBe("rtl");
});

test("fills the gaps of an added language with English, and ignores values that are not strings", async () => {
  const given = {
    composer: { send: "Wyślij", label: 7 },
    citations: { count: { few: "{count} źródła" } },
    x: "",
  };
  const language = {
    launcher: builtInLanguages.en.launcher,
    texts: async () => JSON.parse(JSON.stringify({ default: given })),
  } as const;
  const t = await customTexts(language, await loadTexts(language), undefined);
  expect(t.composer).toEqual({ ...english.composer, send: "Wyślij" });
  expect(t.citations.count).toEqual({ ...english.citations.count, few: "{count} źródła" });
  expect(Object.keys(t)).toEqual(Object.keys(english));
  expect(counted(t.citations.count, 3, createFormat({ locale: "pl" }))).toBe("3 źródła");
});

test("replaces single texts and leaves the others", async () => {
  const t = await customTexts(builtInLanguages.en, english, {
    welcome: { title: "Good morning" },
    citations: { count: { one: "1" } },
  });
  expect(t.welcome).toEqual({ ...english.welcome, title: "Good morning" });
  expect(t.citations.count).toEqual({ one: "1", other: english.citations.count.other });
});

test("chooses the plural form by the customer's language", async () => {
  const { default: arabic } = await builtInLanguages.ar.texts();
  expect(counted(english.citations.count, 1, createFormat({ locale: "en" }))).toBe("1 source");
  expect(counted(english.citations.count, 20, createFormat({ locale: "en" }))).toBe("20 sources");
  expect(counted(arabic.citations.count, 2, createFormat({ locale: "ar" }))).toBe("مصدران");
});

test("does not expand values and keeps unknown placeholders", () => {
  expect(fill("{name} says: {text}", { name: "{text}", text: "$& {name}" })).toBe("{text} says: $& {name}");
  expect(fill("{other}", { name: "x" })).toBe("{other}");
  expect(fill("{constructor}", {})).toBe("{constructor}");
});

test.each([
  ["de_DE", "de"],
  ["fr_FR.UTF-8@euro", "fr"],
  ["ja-JP ", "ja"],
  ["ar_EG, en", "ar"],
  ["", "en"],
  ["C", "en"],
])("finds the language of a page whose locale is %j", (locale, tag) => {
  expect(languageFor(locale).tag).toBe(tag);
});
