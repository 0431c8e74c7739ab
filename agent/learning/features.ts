/** What the two models see of a text: words and pairs of words with the slots' kinds, and letters. */
import { languageData } from "../language/lexicon.ts";
import type { Reading } from "../language/reading.ts";

/** Longer texts are read up to here: an intent shows in its first words or in one clause. */
const mostWords = 80;

export function* wordFeatures({ tokens, marks }: Reading): Iterable<string> {
  yield* marks;
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

export function* letterFeatures({ tokens, language }: Reading): Iterable<string> {
  const { letters } = languageData[language];
  const text = ` ${tokens
    .slice(0, mostWords)
    .map(({ word }) => word)
    .join(" ")} `;
  for (let at = 0; at + letters <= text.length; at += 1) yield text.slice(at, at + letters);
}
