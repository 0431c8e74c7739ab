/** How well sentences are understood whose author was left out of the examples; each author is once. */
import { languages } from "../language/languages.ts";
import { createReader } from "../language/reading.ts";
import { readExamples } from "../learning/examples.ts";
import { answerOf, intentsBy, learnIntents, readSentences, rows } from "../learning/intents.ts";
import { sure } from "../understanding/understand.ts";

interface Count {
  total: number;
  /** The intent itself, or one with the same answer. */
  right: number;
}

export interface SplitResult extends Count {
  authors: number;
  /** The intent itself. */
  exact: number;
  /** Wrong answers that are given without asking back. */
  falseClaims: number;
  byLanguage: ReadonlyMap<string, Count>;
  /** "meant → understood", the most frequent first. */
  confusion: readonly (readonly [string, number])[];
}

/** Sentences that need an earlier turn are left to the dialogues of `labelled.json`. */
export function evaluateSplit(): SplitResult {
  const read = createReader();
  const sentences = readSentences(readExamples(), read);
  const byAuthor = Map.groupBy(sentences, ({ language, author }) => `${language}/${author}`);
  const result = { authors: byAuthor.size, total: 0, right: 0, exact: 0, falseClaims: 0 };
  const byLanguage = new Map<string, Count>();
  const confusion = new Map<string, number>();
  for (const own of byAuthor.values()) {
    const model = intentsBy(learnIntents(sentences.filter((sentence) => !own.includes(sentence))));
    for (const { language, intent, text } of own) {
      const known = languages.find((each) => each === language);
      if (known === undefined || rows[intent]?.after) continue;
      const [best] = model.rank(read(text, known), ({ after }) => Number(after === undefined));
      if (!best) continue;
      const isRight = answerOf(best.intent) === answerOf(intent);
      result.total += 1;
      result.right += Number(isRight);
      result.exact += Number(best.intent === intent);
      result.falseClaims += Number(!isRight && best.confidence >= sure);
      const count = byLanguage.get(language) ?? { total: 0, right: 0 };
      byLanguage.set(language, { total: count.total + 1, right: count.right + Number(isRight) });
      const pair = `${intent} → ${best.intent}`;
      if (best.intent !== intent) confusion.set(pair, (confusion.get(pair) ?? 0) + 1);
    }
  }
  return { ...result, byLanguage, confusion: [...confusion].sort((a, b) => b[1] - a[1]) };
}
