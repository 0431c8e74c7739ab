/** Finds the section of the help pages that answers a question. */
import type { Reading } from "../language/reading.ts";
import { aspects, excerptOf } from "./excerpt.ts";
import type { HelpIndex, Passage } from "./help-index.ts";

export interface HelpAnswer {
  passage: Passage;
  /** The sentences that answer the question, in the passage's language. */
  text: string;
  score: number;
  /** The share of the question that the passage covers: 0 to 1. */
  coverage: number;
}

/** How much a term counts that was not said in the message itself. */
const carriedWeight = 0.5;
/** How much the usual section of an intent is preferred to its others. */
const usual = 0.25;

/**
 * The sections `of` an intent, the best first; without an intent, the passages that the index finds.
 * `carried` are terms that the question leaves out, of an earlier message or of its product.
 */
export function findHelp(
  index: HelpIndex,
  { language, terms: own, all }: Reading,
  { carried = [], of }: { carried?: readonly string[]; of?: readonly Passage[] } = {},
): HelpAnswer[] {
  const terms = new Map([
    ...carried.map((term): [string, number] => [term, carriedWeight]),
    ...own.map((term): [string, number] => [term, 1]),
  ]);
  const wanted = aspects.filter((aspect) => all("mark").includes(aspect));
  const worth = (term: string) => (terms.get(term) ?? 0) * index.rarity(term);
  const rarest = Math.log(1 + index.passages.length);
  let asked = 0;
  for (const [term, weight] of terms) asked += weight * (index.rarity(term) || rarest / 2);
  return (of ?? index.search(terms, language).slice(0, 24))
    .map((passage, place) => {
      const { text, matched } = excerptOf(passage, { terms, worth, aspects: wanted });
      let score = place === 0 && of ? usual * rarest : 0;
      let covered = 0;
      for (const term of terms.keys()) {
        if (!passage.terms.has(term)) continue;
        covered += worth(term);
        score += worth(term) * (passage.heading.has(term) ? 1.8 : matched.has(term) ? 1 : 0.5);
      }
      return { passage, text, score, coverage: asked === 0 ? 0 : covered / asked };
    })
    .sort((one, other) => other.score - one.score);
}
