/**
 * The features of a text that the two models see: words and pairs of words with what they name, and letters.
 */
import { lengthPattern } from "../language/figures.ts";
import { languageData, type SlotType } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { hashed } from "./softmax.ts";

/** Longer texts are read up to here: an intent shows in its first words or in one clause. */
const mostWords = 80;
/** A text that names more is a list: what stands together in it means little. */
const mostNamed = 12;
/** A named thing counts by its key, or by its type only: all places mean the same. */
const keyed: ReadonlySet<SlotType> = new Set(["good", "mark", "theme", "detail", "moment", "position"]);
const typed: ReadonlySet<SlotType> = new Set(["name", "place", "store", "day"]);
/** A word that stands for others of its type: "Is the Fell in Kelderby?" is a question about all goods. */
const replaced: ReadonlySet<SlotType> = new Set(["good", "colour", "size", "measure", "moment", ...typed]);

export interface Features {
  words: Uint16Array;
  letters: Uint16Array;
}

export function featuresOf(reading: Reading): Features {
  const named = reading.mentions.filter(({ within }) => within === undefined);
  const keys = named.flatMap(({ type, key }) =>
    keyed.has(type) ? `§${type} ${key}` : typed.has(type) ? `§${type}` : [],
  );
  const unique = [...new Set(keys)].slice(0, mostNamed);
  return {
    words: hashed(wordFeatures({ ...reading, mentions: named }, unique)),
    letters: hashed(letterFeatures(reading, unique)),
  };
}

const patterns: readonly [string, RegExp][] = [
  ["§money", /[£€¥]\s?\d|\d\s?(?:[£€¥]|gbp|eur|pound|quid)/iu],
  ["§email", /\S@\S+\.\S/u],
  ["§reference", /\b(?:TT|W|C|X)[\s-]?\d{3,6}\b/iu],
  ["§number", /\d/u],
  ["§amount", /\d{2}/u],
  ["§length", lengthPattern],
  ["§question", /[?？؟]\s*$/u],
];

function* wordFeatures(
  { figures, tokens, mentions, language }: Reading,
  named: readonly string[],
): Iterable<string> {
  for (const [index, one] of named.entries()) {
    yield one;
    for (const other of named.slice(index + 1)) yield [one, other].sort().join();
  }
  const things = mentions.filter(({ type }) => replaced.has(type));
  for (const { type } of things) yield `§${type}`;
  for (const [mark, pattern] of patterns) if (pattern.test(figures)) yield mark;
  let [before, kindBefore] = ["<", "<"];
  for (const [index, { word, stem, at }] of tokens.slice(0, mostWords).entries()) {
    const seen = /^\p{N}/u.test(stem) ? "#" : stem;
    const place = languageData[language].space === "" ? at : index;
    const thing = things.find(({ start, end }) => start <= place && place < end);
    const kind = thing ? `§${thing.type}` : seen;
    yield seen;
    yield `${before} ${seen}`;
    if (kind !== kindBefore) yield `${kindBefore} ${kind}`;
    if (word !== stem) yield `=${word}`;
    [before, kindBefore] = [seen, kind];
  }
  yield `${before} >`;
  yield `${kindBefore} >`;
}

function* letterFeatures({ tokens, language }: Reading, named: readonly string[]): Iterable<string> {
  yield* named;
  const { letters, space } = languageData[language];
  const words = tokens.slice(0, mostWords).map(({ word }) => word);
  const text = ` ${words.join(space)} `;
  // The beginnings of long words are nearly stems.
  for (const word of words) yield ` ${word.slice(0, 5)}`;
  // Where words have no spaces, a segmenter's words are often parts of them.
  for (const size of space === "" ? [letters, letters + 1] : [letters])
    for (let at = 0; at + size <= text.length; at += 1) yield text.slice(at, at + size);
}
