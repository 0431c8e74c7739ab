/**
 * How well sentences are understood whose author was left out of the examples; each author is once, but for
 * the shop, whose names for things are known.
 */
import { readContent } from "../knowledge/shop.ts";
import { languages } from "../language/languages.ts";
import { readExamples } from "../learning/examples.ts";
import { answerOf, certain, rows } from "../learning/intents.ts";
import { recallDialogue } from "../understanding/recall-dialogue.ts";
import { understand } from "../understanding/understand.ts";

/** The agent's understanding of a sentence without its author's other sentences. */
export type SplitResult = ReturnType<typeof evaluateSplit>[number];

/** Sentences that need an earlier turn are left to the dialogues of `labelled.json`. */
export function evaluateSplit() {
  const content = readContent("");
  const examples = content.sentences(readExamples());
  const byAuthor = Map.groupBy(examples, ({ language, author }) => `${language}/${author}`);
  return [...byAuthor.values()].flatMap((own) => {
    if (own[0]?.author === "shop") return [];
    const taken = new Set(own);
    const shop = content.knowing(
      content.learnedFrom(
        examples.filter((each) => !taken.has(each)),
        [],
      ),
    );
    return own.flatMap(({ language, author, kind, intent: meant, text }) => {
      const known = languages.find((each) => each === language);
      const after = rows[meant]?.after;
      if (known === undefined || after === "products" || after === "wish") return [];
      const { wishes, unsure, confidence } = understand(text, recallDialogue([], known, shop), shop);
      const isMeant = (each: { intent: string }) => answerOf(each.intent) === answerOf(meant);
      // The intent itself, or one with the same answer, is understood or the likeliest.
      // Without a meaning the agent says that it does not know.
      const guess = unsure[0] ?? certain("out-of-scope");
      const isRight = wishes.length > 0 ? wishes.some(isMeant) : isMeant(guess);
      // It asks which of several meanings is right, and the right one is among them.
      const asks = unsure.length > 0;
      const offersRight = unsure.some(isMeant);
      // A wrong page, product or order is shown without a doubt.
      const claims = wishes.some(({ row }) => row.help ?? row.products ?? row.orders ?? row.hours);
      const isFalseClaim = !isRight && claims;
      const understood = (wishes[0] ?? guess).intent;
      const found = { understood, confidence, isRight, asks, offersRight, isFalseClaim };
      return [{ language, author, kind, meant, text, ...found }];
    });
  });
}
