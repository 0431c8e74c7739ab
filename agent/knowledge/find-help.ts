/** Finds the section of the help pages that answers a question. */
import type { Reading } from "../language/reading.ts";
import { excerptOf } from "./excerpt.ts";
import type { HelpIndex, Passage } from "./help-index.ts";

/** How much the usual section of an intent is preferred to its others. */
const usual = 0.25;

/**
 * The sections `of` an intent, the best first; without an intent, those in the question's language and in
 * English. `carried` are terms that the question leaves out, of an earlier message or of its product.
 * `excerpt`: the sentences that answer it.
 */
export function findHelp(
  { passages, rarity }: HelpIndex,
  { language, terms: own }: Reading,
  { carried = [], of }: { carried?: readonly string[]; of?: readonly Passage[] } = {},
) {
  const terms = new Set([...carried, ...own]);
  const worth = (term: string) => (own.includes(term) ? rarity(term) : 0);
  const rarest = Math.log(1 + passages.length);
  const readable = (passage: Passage) => passage.language === language || passage.language === "en";
  return [...new Set(of ?? passages.filter(readable))]
    .map((passage, place) => {
      let score = place === 0 && of ? usual * rarest : 0;
      for (const term of terms) {
        if (!passage.terms.has(term)) continue;
        score += rarity(term) * (passage.heading.has(term) ? 1.8 : 1);
      }
      // `isSaid`: whether the customer has read it, and asks for a part of it.
      const excerpt = (isSaid?: (text: string) => boolean) => {
        const text = excerptOf(passage, terms, rarity);
        return isSaid?.(text) ? excerptOf(passage, terms, worth, 1) : text;
      };
      return { passage, score, excerpt };
    })
    .sort((one, other) => other.score - one.score);
}
