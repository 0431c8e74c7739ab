/** How well sentences are understood whose author was left out of the examples; each author is once. */
import { readContent } from "../knowledge/shop.ts";
import { languages } from "../language/languages.ts";
import { readExamples } from "../learning/examples.ts";
import { answerOf, rows } from "../learning/intents.ts";
import { understand } from "../understanding/understand.ts";

/** A sentence, and what the agent understood of it without its author's other sentences. */
export interface SplitResult {
  language: string;
  author: string;
  kind: string;
  meant: string;
  text: string;
  understood: string;
  /** How sure the agent was; 1 if a rule decided. */
  confidence: number;
  /** The intent itself, or one with the same answer, is understood or the likeliest. */
  isRight: boolean;
  /** Whether the agent asks which of several meanings is right, and whether the right one is among them. */
  asks: boolean;
  offersRight: boolean;
  /** A wrong page, product or order that is shown without a doubt. */
  isFalseClaim: boolean;
}

/** Sentences that need an earlier turn are left to the dialogues of `labelled.json`. */
export function evaluateSplit(): SplitResult[] {
  const content = readContent("");
  const examples = content.sentences(readExamples());
  const byAuthor = Map.groupBy(examples, ({ language, author }) => `${language}/${author}`);
  return [...byAuthor.values()].flatMap((own) => {
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
      const dialogue = { last: null, shown: [], seen: new Set<string>(), search: {}, language: known };
      const { wishes, unsure } = understand(text, dialogue, shop);
      const isMeant = (each: { intent: string }) => answerOf(each.intent) === answerOf(meant);
      const isRight = wishes.length > 0 ? wishes.some(isMeant) : unsure.slice(0, 1).some(isMeant);
      const asks = wishes.length === 0 && unsure.length > 0;
      const isDoubted = unsure.length > 0 || wishes.length === 0;
      return [
        {
          ...{ language, author, kind, meant, text, isRight, asks },
          understood: (wishes[0] ?? unsure[0])?.intent ?? "nothing",
          confidence: unsure[0]?.confidence ?? 1,
          offersRight: asks && unsure.slice(0, 3).some(isMeant),
          isFalseClaim:
            !isRight &&
            !isDoubted &&
            wishes.some(({ row }) => row.help ?? row.products ?? row.orders ?? row.hours),
        },
      ];
    });
  });
}
