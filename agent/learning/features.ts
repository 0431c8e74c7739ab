/** What the two models see of a text: words and pairs of words with what they name, and letters. */
import { lengthPattern } from "../language/figures.ts";
import { languageData } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { hashed } from "./softmax.ts";

/** Longer texts are read up to here: an intent shows in its first words or in one clause. */
const mostWords = 80;

export interface Features {
  words: Uint16Array;
  letters: Uint16Array;
}

export function featuresOf(reading: Reading): Features {
  return { words: hashed(wordFeatures(reading)), letters: hashed(letterFeatures(reading)) };
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

function* wordFeatures({ figures, tokens, mentions }: Reading): Iterable<string> {
  for (const { type, key, within } of mentions) {
    if (type === "filler" || type === "section" || within !== undefined) continue;
    if (type !== "mark" && type !== "detail" && type !== "theme") yield `§${type}`;
    if (type === "good" || type === "mark" || type === "theme") yield `§${type} ${key}`;
  }
  for (const [mark, pattern] of patterns) if (pattern.test(figures)) yield mark;
  let before = "<";
  for (const { word, stem } of tokens.slice(0, mostWords)) {
    const seen = /^\p{N}/u.test(stem) ? "#" : stem;
    yield seen;
    yield `${before} ${seen}`;
    if (word !== stem) yield `=${word}`;
    before = seen;
  }
  yield `${before} >`;
}

function* letterFeatures({ tokens, language }: Reading): Iterable<string> {
  const { letters, space } = languageData[language];
  const words = tokens.slice(0, mostWords).map(({ word }) => word);
  const text = ` ${words.join(space)} `;
  // The beginnings of long words are nearly stems.
  for (const word of words) yield ` ${word.slice(0, 5)}`;
  // Where words have no spaces, a segmenter's words are often parts of them.
  for (const size of space === "" ? [letters, letters + 1] : [letters])
    for (let at = 0; at + size <= text.length; at += 1) yield text.slice(at, at + size);
}
