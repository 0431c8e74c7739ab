/** How well sentences are understood whose author was left out of the examples; each author is once. */
import { languages } from "../language/languages.ts";
import { createReader } from "../language/reading.ts";
import { readExamples } from "../learning/examples.ts";
import { answerOf, intentsBy, learnIntents, readSentences, rows } from "../learning/intents.ts";
import { priorsOf, sure } from "../understanding/understand.ts";

/** By the author. Sentences that need an earlier turn are left to the dialogues of `labelled.json`. */
export function evaluateSplit() {
  const read = createReader();
  const sentences = readSentences(readExamples(), read);
  const byAuthor = Map.groupBy(sentences, ({ language, author }) => `${language}/${author}`);
  return Array.from(byAuthor.values(), (own) => {
    const model = intentsBy(learnIntents(sentences.filter((sentence) => !own.includes(sentence))));
    return own.flatMap(({ language, intent: meant, text }) => {
      const known = languages.find((each) => each === language);
      if (known === undefined || rows[meant]?.after) return [];
      const reading = read(text, known);
      const [best] = model.rank(reading, priorsOf(reading, { last: null, shown: [] }));
      if (!best) return [];
      // The intent itself, or one with the same answer.
      const isRight = answerOf(best.intent) === answerOf(meant);
      // A wrong answer that is given without asking back.
      const isFalseClaim = !isRight && best.confidence >= sure;
      return [{ language, meant, understood: best.intent, isRight, isFalseClaim }];
    });
  });
}
