/** The words of each language for what a message can name: goods, colours, sizes, places, days, shops. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { weekdays } from "#lib/shop/stores.ts";
import { fold } from "./fold.ts";
import { type Language, languages } from "./languages.ts";
import { editDistance } from "./spelling.ts";
import { stemOf, type Token, tokenise } from "./tokens.ts";

const Words = z.record(z.string(), z.string());
const LanguageFile = z.object({
  words: z.object({
    good: Words,
    detail: Words,
    colour: Words,
    size: Words,
    measure: Words,
    moment: Words,
    position: Words,
    place: Words,
    store: Words,
    mark: Words,
  }),
  /** Prefixes that a word can carry without a space, such as the Arabic article. */
  prefixes: z.array(z.string()).default([]),
  /** Whether words join to longer ones, whose end says what they are: "Fahrradhelm" is a helmet. */
  compounds: z.boolean().default(false),
  /** How many letters in a row tell the most: fewer where one letter says more. */
  letters: z.int().default(4),
  /** Where one wish ends and the next begins within a sentence; a pattern. */
  breaks: z.string(),
  /** What joins equals: "bikes and helmets". A pattern. */
  joins: z.string(),
  /** Words before an amount that make it the most, or the least, to spend. Patterns. */
  upTo: z.string(),
  from: z.string(),
  /** The beginning of sentences that refer to the one before. A pattern. */
  back: z.string().default("$^"),
  /** Other names of the pound. A pattern. */
  pounds: z.string(),
  /** The names of demonstrations, separated by commas. */
  demonstrations: Words,
  replies: z.record(z.string(), z.union([z.string(), z.array(z.string()), Words])),
});
export type LanguageData = z.infer<typeof LanguageFile>;
export type SlotType = keyof LanguageData["words"] | "day" | "name";

/** The languages' files, one each. */
export const languageData: Readonly<Record<Language, LanguageData>> = Object.fromEntries(
  languages.map((language) => [
    language,
    LanguageFile.parse(
      JSON.parse(readFileSync(new URL(`../languages/${language}.json`, import.meta.url), "utf8")),
    ),
  ]),
) as Record<Language, LanguageData>;

/** An occurrence of something named in a text, in code units of the folded text for Japanese. */
export interface Mention {
  type: SlotType;
  key: string;
  start: number;
  end: number;
  /** The key of the next longer mention of its type that it is part of: "gift" in "gift card". */
  within?: string;
}

interface Entry {
  type: SlotType;
  key: string;
  parts: readonly string[];
}

interface Lexicon {
  byFirst: Map<string, Entry[]>;
  /** Single words, folded, for spelling correction, by their first letter. */
  words: Map<string, Set<string>>;
}

const lexicons = new Map<Language, Lexicon>(languages.map((language) => [language, build(language)]));

function build(language: Language): Lexicon {
  const lexicon: Lexicon = { byFirst: new Map(), words: new Map() };
  for (const [type, entries] of Object.entries(languageData[language].words))
    for (const [key, phrases] of Object.entries(entries))
      for (const phrase of phrases.split(","))
        add(lexicon, language, { type: type as SlotType, key }, phrase);
  // Monday first, as in `weekdays`; 2024 began on a Monday.
  weekdays.forEach((key, index) => {
    for (const style of ["long", "short"] as const) {
      const format = new Intl.DateTimeFormat(language, { weekday: style, timeZone: "UTC" });
      const name = format.format(new Date(Date.UTC(2024, 0, index + 1)));
      // Short names that are words of their own ("Mo", "do") would be found everywhere.
      if (style === "long" || fold(name).length > 3) add(lexicon, language, { type: "day", key }, name);
      if (style === "long" && language === "en") add(lexicon, language, { type: "day", key }, `${name}s`);
    }
  });
  return lexicon;
}

function add(
  { byFirst, words }: Lexicon,
  language: Language,
  meaning: Pick<Entry, "type" | "key">,
  phrase: string,
): void {
  const tokens = tokenise(phrase, language);
  const parts = language === "ja" ? [...fold(phrase.trim())] : tokens.map((token) => token.stem);
  const [first] = parts;
  if (first === undefined) return;
  const list = byFirst.get(first) ?? [];
  if (
    !list.some(
      ({ type, key, parts: other }) =>
        type === meaning.type && key === meaning.key && String(other) === String(parts),
    )
  )
    list.push({ ...meaning, parts });
  byFirst.set(
    first,
    list.sort((a, b) => b.parts.length - a.parts.length),
  );
  for (const { word } of language === "ja" ? [] : tokens) {
    if (word.length < 4) continue;
    const alike = words.get(word[0] ?? "") ?? new Set();
    words.set(word[0] ?? "", alike.add(word));
  }
}

/** Adds names that the shop's content gives, in every language. */
export function addNames(names: ReadonlyMap<string, string>, language: Language): void {
  const lexicon = lexicons.get(language);
  for (const [name, key] of names) if (lexicon) add(lexicon, language, { type: "name", key }, name);
}

/** The lexicon's word that a misspelt one most probably stands for. */
export function mended(word: string, language: Language): string | undefined {
  if (word.length < 5) return undefined;
  const allowed = word.length < 8 ? 1 : 2;
  let best: { word: string; distance: number } | undefined;
  for (const other of lexicons.get(language)?.words.get(word[0] ?? "") ?? []) {
    if (Math.abs(other.length - word.length) > allowed) continue;
    const distance = editDistance(word, other);
    if (distance <= allowed && (!best || distance < best.distance)) best = { word: other, distance };
  }
  return best?.word;
}

/** A text that names more is no question: each mention is compared with the others. */
const mostMentions = 150;

/** What a text names. */
export function findMentions(text: string, tokens: readonly Token[], language: Language): Mention[] {
  const lexicon = lexicons.get(language);
  if (!lexicon) return [];
  const parts = language === "ja" ? [...fold(text)] : tokens.map(({ stem }) => stem);
  const found: Mention[] = [];
  for (let start = 0; start < parts.length; start += 1)
    for (const { type, key, parts: phrase } of lexicon.byFirst.get(parts[start] ?? "") ?? [])
      if (phrase.every((part, index) => part === parts[start + index]))
        found.push({ type, key, start, end: start + phrase.length });
  if (language !== "ja") found.push(...withinWords(tokens, found, lexicon, language));
  return found
    .slice(0, mostMentions)
    .map((one) => {
      const [around] = found
        .filter(
          (other) =>
            other.type === one.type &&
            other.key !== one.key &&
            other.start <= one.start &&
            other.end >= one.end &&
            other.end - other.start > one.end - one.start,
        )
        .sort((a, b) => a.end - a.start - (b.end - b.start));
      return around ? { ...one, within: around.key } : one;
    })
    .sort((a, b) => a.start - b.start);
}

/** Mentions inside a word: after a prefix, and at the end of a compound. */
function* withinWords(
  tokens: readonly Token[],
  found: readonly Mention[],
  { byFirst }: Lexicon,
  language: Language,
): Iterable<Mention> {
  const { prefixes, compounds } = languageData[language];
  for (const [index, { word, stem }] of tokens.entries()) {
    if (found.some(({ start, end }) => start <= index && index < end)) continue;
    const rests = prefixes
      .filter((prefix) => word.startsWith(prefix) && word.length > prefix.length + 2)
      .map((prefix) => stemOf(word.slice(prefix.length), language));
    if (compounds && word.length >= 8)
      for (let at = 3; at + 4 <= stem.length; at += 1) rests.push(stem.slice(at));
    for (const rest of rests) {
      const entries = (byFirst.get(rest) ?? []).filter(({ parts }) => parts.length === 1);
      for (const { type, key } of entries) yield { type, key, start: index, end: index + 1 };
      if (entries.length > 0) break;
    }
  }
}
