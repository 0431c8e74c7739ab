import { parseAmount } from "./language/figures.ts";

/**
 * Passes a model's text on sentence by sentence, but drops sentences with an amount of money that the model
 * was not given, so that it cannot invent prices.
 */
export class GroundedSentences {
  #pending = "";
  readonly #isKnown: (amount: string) => boolean;

  /** `isKnown`: whether the model was given this amount ("1899", "9.95"). */
  constructor(isKnown: (amount: string) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Adds a part and returns the sentences that it completes. */
  take(part: string): string {
    const sentences = (this.#pending + part).split(sentenceEnd);
    this.#pending = sentences.pop() ?? "";
    return this.#withoutInvented(sentences);
  }

  /** Returns the rest when the model has finished. */
  end(): string {
    return this.#withoutInvented([this.#pending]);
  }

  #withoutInvented(sentences: readonly string[]): string {
    return sentences.filter((sentence) => amountsIn(sentence).every(this.#isKnown)).join("");
  }
}

const sentenceEnd = /(?<=[.!?؟]\s|[。\uff01\uff1f\n])/u;

const money =
  /(?:[£€¥]|GBP|EUR|JPY|KWD|KD)\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(?:[£€¥円]|GBP|EUR|JPY|KWD|pounds?|euros?|quid|Pfund|livres?|ポンド|جنيه|دينار)/giu;

/** The amounts of money in a text, without thousands separators: "£1,899" is "1899". */
export function amountsIn(text: string): string[] {
  return Array.from(text.matchAll(money), ([, before, after]) => plainAmount(before ?? after ?? ""));
}

/** Normalises an amount: "1,899", "1.899" and "1899.00" become "1899". */
export function plainAmount(written: string): string {
  return String(parseAmount(written));
}
