/** Finds the section of the help pages that answers a question. */
import type { Reading } from "../language/reading.ts";
import { excerptOf } from "./excerpt.ts";
import type { HelpIndex, Passage } from "./help-index.ts";

export interface HelpAnswer {
  passage: Passage;
  /** The sentences that answer the question, in the passage's language. */
  text: string;
  score: number;
  /** The share of the question that the passage covers: 0 to 1. */
  coverage: number;
}

/** How much the usual section of an intent is preferred to its others. */
const usual = 0.25;

/**
 * The sections `of` an intent, the best first; without an intent, the passages that the index finds.
 * `carried` are terms that the question leaves out, of an earlier message or of its product.
 */
export function findHelp(
  index: HelpIndex,
  { language, terms: own }: Reading,
  { carried = [], of }: { carried?: readonly string[]; of?: readonly Passage[] } = {},
): HelpAnswer[] {
  const terms = new Set([...carried, ...own]);
  const rarest = Math.log(1 + index.passages.length);
  let asked = 0;
  for (const term of terms) asked += index.rarity(term) || rarest / 2;
  return (of ?? index.search(terms, language).slice(0, 24))
    .map((passage, place) => {
      const text = excerptOf(passage, terms, index.rarity);
      let score = place === 0 && of ? usual * rarest : 0;
      let covered = 0;
      for (const term of terms) {
        if (!passage.terms.has(term)) continue;
        covered += index.rarity(term);
        score += index.rarity(term) * (passage.heading.has(term) ? 1.8 : 1);
      }
      return { passage, text, score, coverage: asked === 0 ? 0 : covered / asked };
    })
    .sort((one, other) => other.score - one.score);
}
