/** The agent's concepts in its five languages, and how they are found in a text. */
import type { ConceptEntry } from "./concept-table.ts";
import { attributes } from "./concepts/attributes.ts";
import { places } from "./concepts/places.ts";
import { shopTopics } from "./concepts/shop-topics.ts";
import { talk } from "./concepts/talk.ts";
import { things } from "./concepts/things.ts";
import { workshopTopics } from "./concepts/workshop-topics.ts";
import { fold } from "./fold.ts";
import { type Language, languages } from "./languages.ts";
import { stemOf, type Token, tokenise } from "./tokens.ts";

const tables = { ...shopTopics, ...workshopTopics, ...things, ...places, ...attributes, ...talk };
export type Concept = keyof typeof tables;

/** The concepts of each table. */
export const conceptsOf = {
  shop: keysOf(shopTopics),
  workshop: keysOf(workshopTopics),
  things: keysOf(things),
  places: keysOf(places),
  attributes: keysOf(attributes),
  talk: keysOf(talk),
};

function keysOf<T extends Partial<Record<Concept, unknown>>>(table: T): ReadonlySet<Concept> {
  return new Set(Object.keys(table).filter(isConcept));
}

export function isConcept(key: string): key is Concept {
  return Object.hasOwn(tables, key);
}

/** An occurrence of a concept in a text. */
export interface Mention {
  concept: Concept;
  /** Half-open range of tokens (in Japanese, of folded characters). */
  start: number;
  end: number;
  /** 1 for a plain mention; less inside a longer phrase or compound, or for a wider concept. */
  weight: number;
  /** True if the phrase has a gap: the words in the gap keep their own meaning. */
  isLoose?: true;
}

interface Phrase {
  concept: Concept;
  /** Stems, exact words and gaps; for Japanese, characters. */
  parts: readonly string[];
}

/** Stands for one to `longestGap` words, as in "send * back". */
const gap = "*";
const longestGap = 4;

interface LanguageLexicon {
  byFirstPart: ReadonlyMap<string, readonly Phrase[]>;
  /** Every word of the phrases, folded but not stemmed. */
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
}

const lexicons = Object.fromEntries(
  languages.map((language) => [language, buildLexicon(language)]),
) as Record<Language, LanguageLexicon>;

function buildLexicon(language: Language): LanguageLexicon {
  const byFirstPart = new Map<string, Phrase[]>();
  const words = new Set<string>();
  const stems = new Set<string>();
  for (const concept of Object.keys(tables).filter(isConcept)) {
    for (const phrase of tables[concept][language].split(",")) {
      const parts = language === "ja" ? [...fold(phrase.trim())] : [];
      if (language !== "ja") {
        for (const piece of phrase.split(/(\*)/)) {
          if (piece === gap) parts.push(gap);
          else
            for (const token of tokenise(piece, language)) {
              parts.push(phrase.trim().startsWith("=") ? exactly(token.word) : token.stem);
              words.add(token.word);
              stems.add(token.stem);
            }
        }
      }
      const first = parts[0];
      if (first === undefined) continue;
      const list = byFirstPart.get(first) ?? [];
      list.push({ concept, parts });
      byFirstPart.set(first, list);
    }
  }
  for (const list of byFirstPart.values()) list.sort((a, b) => b.parts.length - a.parts.length);
  return { byFirstPart, words, stems };
}

export function lexiconWords(language: Language): ReadonlySet<string> {
  return lexicons[language].words;
}

/** Whether the lexicon knows the word or its stem, possibly as part of a phrase. */
export function isInLexicon(token: Token, language: Language): boolean {
  return lexicons[language].words.has(token.word) || lexicons[language].stems.has(token.stem);
}

/** The concepts in a text, in order of occurrence. */
export function findConcepts(text: string, tokens: readonly Token[], language: Language): Mention[] {
  const parts = language === "ja" ? [...fold(text)] : tokens.map((token) => stemOf(token.word, language));
  const words = language === "ja" ? parts : tokens.map((token) => exactly(token.word));
  const found = matchPhrases(parts, words, language);
  if (language === "de") found.push(...splitCompounds(tokens, found));
  return withWiderConcepts(weighNested(found)).sort((a, b) => a.start - b.start || b.end - a.end);
}

function matchPhrases(parts: readonly string[], words: readonly string[], language: Language): Mention[] {
  const { byFirstPart } = lexicons[language];
  const found: Mention[] = [];
  for (let start = 0; start < parts.length; start += 1) {
    const not = contracted.test(words[start] ?? "") ? "not" : undefined;
    const here: Mention[] = [];
    const begins = [parts[start], words[start], not].flatMap((part) => byFirstPart.get(part ?? "") ?? []);
    for (const phrase of begins) {
      const end = endOfMatch(phrase.parts, parts, words, start);
      if (end !== undefined && !here.some((other) => other.concept === phrase.concept && other.end === end)) {
        const loose = phrase.parts.includes(gap) ? { isLoose: true as const } : {};
        here.push({ concept: phrase.concept, start, end, weight: 1, ...loose });
      }
    }
    found.push(...here);
  }
  return found;
}

/** Contractions that also count as "not", so that the lexicon's "not arrived" matches "hasn't arrived". */
const contracted = /^=(?:do|does|did|is|are|was|were|has|have|had|wo|wi|ca|would|could|should)nt$/;

/** Where the phrase that starts at `start` ends; undefined if it does not match. */
function endOfMatch(
  phrase: readonly string[],
  parts: readonly string[],
  words: readonly string[],
  start: number,
): number | undefined {
  let at = start;
  for (let index = 0; index < phrase.length; index += 1) {
    const is = (part: string | undefined, place: number) =>
      part === parts[place] ||
      part === words[place] ||
      (part === "not" && contracted.test(words[place] ?? ""));
    if (phrase[index] === gap) {
      const next = phrase[index + 1];
      const skipped = Array.from({ length: longestGap }, (_, count) => count + 1).find((count) =>
        is(next, at + count),
      );
      if (next === undefined || skipped === undefined) return undefined;
      at += skipped;
    } else if (is(phrase[index], at)) at += 1;
    else return undefined;
  }
  return at;
}

/** Marks a word that counts in this exact form only: "store" is the shop, but "storing" has the same stem. */
function exactly(word: string): string {
  return `=${word}`;
}

/**
 * A word inside a longer phrase counts less: "card" in "gift card". A place name inside another does not
 * count at all: "Ireland" in "Northern Ireland".
 */
function weighNested(mentions: readonly Mention[]): Mention[] {
  return mentions.flatMap((mention) => {
    const length = mention.end - mention.start;
    const around = mentions.filter(
      (other) =>
        other.start <= mention.start &&
        other.end >= mention.end &&
        other.end - other.start > length &&
        // Words in the gap of "send … back" are not part of the phrase; its ends are.
        (!other.isLoose || other.start === mention.start || other.end === mention.end),
    );
    if (around.length === 0) return [mention];
    const isPlace = (one: Mention) => conceptsOf.places.has(one.concept);
    return isPlace(mention) && around.some(isPlace) ? [] : [{ ...mention, weight: mention.weight * 0.4 }];
  });
}

/** German compounds ("Fahrradhelm"): looks for concepts at the beginning and end of a word. */
function splitCompounds(tokens: readonly Token[], found: readonly Mention[]): Mention[] {
  const mentions: Mention[] = [];
  tokens.forEach((token, index) => {
    if (token.word.length < 8 || found.some((mention) => mention.start <= index && mention.end > index))
      return;
    for (const [stem, phrases] of lexicons.de.byFirstPart) {
      if (stem.length < 4) continue;
      const starts = token.word.startsWith(stem);
      const ends = token.stem.endsWith(stem);
      if (!starts && !ends) continue;
      for (const phrase of phrases) {
        if (phrase.parts.length === 1) {
          mentions.push({ concept: phrase.concept, start: index, end: index + 1, weight: ends ? 0.9 : 0.8 });
        }
      }
    }
  });
  return mentions;
}

function withWiderConcepts(mentions: readonly Mention[]): Mention[] {
  const wider = mentions.flatMap((mention) => {
    const entry: ConceptEntry = tables[mention.concept];
    return (entry.isa ?? [])
      .filter(isConcept)
      .map((concept) => ({ ...mention, concept, weight: mention.weight * 0.5 }));
  });
  return [...mentions, ...wider];
}
