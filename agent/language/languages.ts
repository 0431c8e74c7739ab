/** The languages that the agent understands and answers in, and what it knows of each (`languages/`). */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Weekday, weekdays } from "#lib/shop/stores.ts";

export const languages = ["en", "de", "fr", "ar", "ja"] as const;
export type Language = (typeof languages)[number];

/** The agent's language for a BCP 47 tag; English for those that it does not speak. */
export function languageOfLocale(locale: string): Language {
  const primary = locale.toLowerCase().split("-")[0];
  return languages.find((language) => language === primary) ?? "en";
}

const Words = z.record(z.string(), z.string());
/**
 * `currency`: others than the pound, by their ISO 4217 codes. `theme`: other names of what an intent is
 * about, and words that customers mostly use for it: a message of nothing else means the intent, and in a
 * longer one they are evidence. `filler`: words that add nothing to a name.
 */
const Named = z.enum([
  ...["good", "detail", "colour", "size", "currency", "measure"],
  ...["moment", "position", "place", "store", "mark", "theme", "filler"],
] as const);
const LanguageFile = z.strictObject({
  /** The locale of numbers and lists (BCP 47). */
  locale: z.string(),
  /** The space between two sentences and two words; without it, a segmenter finds the words. */
  space: z.string().default(" "),
  /** The marks that end a sentence. */
  stop: z.string().default("."),
  /** The marks between the items of a list in a sentence. */
  semicolon: z.string().default("; "),
  /** Prefixes that a word can carry without a space, such as the Arabic article. */
  prefixes: z.array(z.string()).default([]),
  /** Whether words join to longer ones, whose end says what they are: "Fahrradhelm" is a helmet. */
  compounds: z.boolean().default(false),
  /** How many letters in a row tell the most: fewer where one letter says more. */
  letters: z.int().default(4),
  /** Meanings of short forms and common misspellings: "u=you", separated by commas. */
  abbreviations: z.string().default(""),
  /** Where one wish ends and the next begins within a sentence; a pattern. */
  breaks: z.string(),
  /** Words that join equals: "bikes and helmets". A pattern. */
  joins: z.string(),
  /** Patterns that refuse the few words after them, or the one before. */
  not: z.string(),
  notAfter: z.string().default("$^"),
  /** Words around an amount that make it the most, or the least, to spend. Patterns. */
  upTo: z.string(),
  orLess: z.string(),
  from: z.string(),
  /** Other names of the pound. A pattern. */
  pounds: z.string(),
  /** A pattern of the things besides money that a number can count. */
  units: z.string(),
  /** Numbers in words, folded, and the pattern between two that make one. */
  numbers: z.record(z.string(), z.number()),
  numberJoins: z.string(),
  /** Things that a message can name, each with its phrases, separated by commas. */
  words: z.record(Named, Words),
  /** The names of demonstrations, separated by commas. */
  demonstrations: Words,
  replies: z.record(z.string(), z.union([z.string(), z.array(z.string()), Words])),
});
export type SlotType = z.infer<typeof Named> | "day" | "name" | "brand" | "section";

/** The same for each language. */
export function byLanguage<T>(make: (language: Language) => T): Readonly<Record<Language, T>> {
  return Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, T>;
}

export const languageData = byLanguage((language) =>
  LanguageFile.parse(
    JSON.parse(readFileSync(new URL(`../languages/${language}.json`, import.meta.url), "utf8")),
  ),
);

/** Joins sentences to a paragraph. */
export function joinSentences(sentences: readonly string[], language: Language): string {
  return sentences.filter(Boolean).join(languageData[language].space);
}

/** The items of a list as one sentence. */
export function listInSentence(items: readonly string[], language: Language): string {
  const { semicolon, stop } = languageData[language];
  return items.length > 0 ? items.join(semicolon) + stop : "";
}

/** A language's name for a day of the week. */
export function weekdayName(language: Language, day: Weekday): string {
  // 2024 began on a Monday, as `weekdays` does.
  const date = new Date(Date.UTC(2024, 0, weekdays.indexOf(day) + 1));
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(date);
}

const segmenters = byLanguage((language) => new Intl.Segmenter(language, { granularity: "sentence" }));

/** The sentences of a text, without the spaces around them. */
export function splitSentences(text: string, language: Language): string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenters[language].segment(text)) {
    const sentence = segment.trim();
    const before = sentences.at(-1);
    // A full stop after a number makes an ordinal and ends no sentence: "bis 24. Dezember".
    if (before !== undefined && /(?:^|\s)\d{1,2}\.$/.test(before))
      sentences.splice(-1, 1, `${before} ${sentence}`);
    else if (sentence) sentences.push(sentence);
  }
  return sentences;
}
