import { joinSentences } from "../language/languages.ts";
import type { Passage } from "./help-index.ts";

/** A section up to this length is quoted whole. */
const shortSection = 480;

/** The passage's sentences in a row that answer a question of these terms best. */
export function excerptOf(
  { section: { sentences }, sentenceTerms, heading, subject, language }: Passage,
  asked: ReadonlySet<string>,
  worthOf: (term: string) => number,
  maxSentences = 3,
): string {
  if (maxSentences > 1 && sentences.join("").length <= shortSection)
    return joinSentences(sentences, language);
  // A sentence about other goods than the question's is about an exception.
  const isBeside = (term: string) =>
    term.startsWith("#good") && ![asked, heading, subject].some((all) => all.has(term));
  let best = { row: sentences, score: Number.NEGATIVE_INFINITY };
  // Of equal rows the longer one that begins earlier wins: "both are free" needs what stands before it.
  for (const from of [...sentences.keys()].reverse())
    for (let to = from + 1; to <= Math.min(from + maxSentences, sentences.length); to += 1) {
      const row = sentenceTerms.slice(from, to);
      let score = 0;
      for (const term of asked) if (row.some((terms) => terms.has(term))) score += worthOf(term);
      for (const terms of row) score -= 2 * Math.min(3, [...terms].filter(isBeside).length);
      if (score >= best.score) best = { row: sentences.slice(from, to), score };
    }
  return joinSentences(best.row, language);
}
