import { joinSentences } from "../language/languages.ts";
import type { Passage, WeightedTerms } from "./help-index.ts";

/** A section up to this length is quoted whole. */
const shortSection = 480;
const maxLength = 420;
const maxSentences = 3;

/** The kinds of facts that a question can ask for; sentences that state one score higher. */
const figures: Readonly<Record<string, RegExp>> = {
  price: /[£€¥%]|\bKD\b/u,
  free: /[£€¥]/u,
  duration: /$^/u,
  time: /\d{1,2}:\d{2}/u,
  contact: /\+\d{2}|@|\b[A-Z]{2}\d \d[A-Z]{2}\b/u,
};
export const aspects = Object.keys(figures);

/** What an excerpt is chosen for. */
export interface ExcerptQuery {
  terms: WeightedTerms;
  worth(term: string): number;
  aspects: readonly string[];
}

export interface Excerpt {
  text: string;
  /** The query's terms in the excerpt. */
  matched: ReadonlySet<string>;
}

/** The passage's sentences that answer the query, in their order. */
export function excerptOf(passage: Passage, query: ExcerptQuery): Excerpt {
  const { sentences } = passage.section;
  const worths = sentences.map((text, index) => {
    const terms = passage.sentenceTerms[index] ?? new Set();
    const worth = new Map<string, number>();
    // Terms of the heading hardly distinguish the passage's sentences.
    for (const term of query.terms.keys())
      if (terms.has(term)) worth.set(term, query.worth(term) * (passage.heading.has(term) ? 0.3 : 1));
    for (const aspect of query.aspects)
      if (figures[aspect]?.test(text) || terms.has(`#mark ${aspect}`)) worth.set(`=${aspect}`, 2);
    // A sentence about other goods than the question's is about an exception.
    const isBeside = (term: string) =>
      term.startsWith("#good") &&
      ![query.terms, passage.heading, passage.subject].some((all) => all.has(term));
    worth.set(`=beside ${index}`, -2 * Math.min(3, [...terms].filter(isBeside).length));
    if (index === 0) worth.set("=first", 1);
    return worth;
  });
  const chosen = chooseSentences(sentences, worths);
  return {
    text: joinSentences(
      chosen.map((index) => sentences[index] ?? ""),
      passage.language,
    ),
    matched: new Set(chosen.flatMap((index) => [...(worths[index]?.keys() ?? [])])),
  };
}

/** The indices of the sentences in a row that are worth the most together. */
function chooseSentences(
  sentences: readonly string[],
  worths: readonly ReadonlyMap<string, number>[],
): number[] {
  const lengthOf = (from: number, to: number) => sentences.slice(from, to).join("").length;
  const all = [...sentences.keys()];
  if (lengthOf(0, sentences.length) <= shortSection) return all;
  let best = { row: all.slice(0, 1), score: Number.NEGATIVE_INFINITY };
  for (const from of all)
    for (let to = from + 1; to <= Math.min(from + maxSentences, sentences.length); to += 1) {
      if (to > from + 1 && lengthOf(from, to) > maxLength) break;
      const worth = new Map(worths.slice(from, to).flatMap((each) => [...each]));
      const score = [...worth.values()].reduce((one, other) => one + other, 0);
      if (score >= best.score) best = { row: all.slice(from, to), score };
    }
  return best.row;
}
