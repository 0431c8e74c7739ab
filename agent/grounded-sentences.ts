import { parseAmount } from "./language/figures.ts";

const sentenceEnd = /(?<=[.!?؟]\s|[。\uff01\uff1f\n])/u;

/**
 * Passes a model's text on sentence by sentence, but drops sentences with an amount of money that is not
 * among the `known` ones, so that the model cannot invent prices.
 */
export async function* groundedSentences(
  parts: AsyncIterable<string>,
  known: ReadonlySet<number>,
): AsyncIterable<string> {
  const isGrounded = (sentence: string) =>
    sentence !== "" && amountsIn(sentence).every((amount) => known.has(amount));
  let pending = "";
  for await (const part of parts) {
    const sentences = (pending + part).split(sentenceEnd);
    pending = sentences.pop() ?? "";
    yield* sentences.filter(isGrounded);
  }
  if (isGrounded(pending)) yield pending;
}

const money =
  /(?:[£€¥]|GBP|EUR|JPY|KWD|KD)\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(?:[£€¥円]|GBP|EUR|JPY|KWD|pounds?|euros?|quid|Pfund|livres?|ポンド|جنيه|دينار)/giu;

/** The amounts of money in a text: "£1,899" is 1899. */
export function amountsIn(text: string): number[] {
  return Array.from(text.matchAll(money), ([, before, after]) => parseAmount(before ?? after ?? ""));
}
