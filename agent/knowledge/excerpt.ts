import { joinSentences } from "../language/languages.ts";
import type { Passage } from "./help-index.ts";

/** A section up to this length is quoted whole. */
const shortSection = 480;
const maxSentences = 3;

/** The passage's sentences that answer a question of these terms. */
export function excerptOf(
  { section, sentenceTerms, heading, subject, language }: Passage,
  asked: ReadonlySet<string>,
  worthOf: (term: string) => number,
): string {
  const worths = sentenceTerms.map((terms, index) => {
    const worth = new Map<string, number>();
    for (const term of asked) if (terms.has(term)) worth.set(term, worthOf(term));
    // A sentence about other goods than the question's is about an exception.
    const isBeside = (term: string) =>
      term.startsWith("#good") && ![asked, heading, subject].some((all) => all.has(term));
    worth.set(`=beside ${index}`, -2 * Math.min(3, [...terms].filter(isBeside).length));
    return worth;
  });
  return joinSentences(chooseSentences(section.sentences, worths), language);
}

/** The sentences in a row that are worth the most together. */
function chooseSentences(
  sentences: readonly string[],
  worths: readonly ReadonlyMap<string, number>[],
): readonly string[] {
  const lengthOf = (from: number, to: number) => sentences.slice(from, to).join("").length;
  if (lengthOf(0, sentences.length) <= shortSection) return sentences;
  let best = { row: sentences, score: Number.NEGATIVE_INFINITY };
  // Of equal rows the longer one that begins earlier wins: "both are free" needs what stands before it.
  for (const from of [...sentences.keys()].reverse())
    for (let to = from + 1; to <= Math.min(from + maxSentences, sentences.length); to += 1) {
      const worth = new Map(worths.slice(from, to).flatMap((each) => [...each]));
      const score = [...worth.values()].reduce((one, other) => one + other, 0);
      if (score >= best.score) best = { row: sentences.slice(from, to), score };
    }
  return best.row;
}
