/** How well sentences are understood whose author was left out of the examples; each author is once. */

import { languages } from "../language/languages.ts";
import { readText } from "../language/reading.ts";
import { readExamples } from "../learning/examples.ts";
import { answerOf, learnIntents, rows } from "../learning/intents.ts";
import { sure } from "../understanding/understand.ts";

export interface SplitResult {
  /** Authors left out, and their sentences. */
  authors: number;
  total: number;
  /** The intent itself, or one with the same answer. */
  right: number;
  sameAnswer: number;
  /** Of the sentences that are answered without asking back: how many, and how many of those wrongly. */
  answered: number;
  falseClaims: number;
  byLanguage: ReadonlyMap<string, { total: number; right: number }>;
  /** "meant → understood", the most frequent first. */
  confusion: readonly (readonly [string, number])[];
}

/** Sentences that need an earlier turn are left to the dialogues of `labelled.json`. */
export function evaluateSplit(): SplitResult {
  const examples = readExamples().filter(({ language }) => language !== "other");
  const authors = [...new Set(examples.map(({ language, author }) => `${language}/${author}`))];
  const result = { authors: authors.length, total: 0, right: 0, sameAnswer: 0, answered: 0, falseClaims: 0 };
  const byLanguage = new Map<string, { total: number; right: number }>();
  const confusion = new Map<string, number>();
  for (const author of authors) {
    const isOwn = (example: { language: string; author: string }) =>
      `${example.language}/${example.author}` === author;
    const model = learnIntents({ examples: examples.filter((example) => !isOwn(example)) });
    for (const { language, intent, text } of examples.filter(isOwn)) {
      const known = languages.find((each) => each === language);
      if (known === undefined || rows[intent]?.after) continue;
      const [best] = model.rank(
        readText(text, known, () => true),
        ({ after }) => Number(after === undefined),
      );
      if (!best) continue;
      const isRight = best.intent === intent;
      const isSame = answerOf(best.intent) === answerOf(intent);
      result.total += 1;
      if (isRight) result.right += 1;
      else
        confusion.set(`${intent} → ${best.intent}`, (confusion.get(`${intent} → ${best.intent}`) ?? 0) + 1);
      if (isSame) result.sameAnswer += 1;
      if (best.confidence >= sure) {
        result.answered += 1;
        if (!isSame) result.falseClaims += 1;
      }
      const count = byLanguage.get(language) ?? { total: 0, right: 0 };
      byLanguage.set(language, { total: count.total + 1, right: count.right + Number(isSame) });
    }
  }
  return { ...result, byLanguage, confusion: [...confusion].sort((a, b) => b[1] - a[1]) };
}
