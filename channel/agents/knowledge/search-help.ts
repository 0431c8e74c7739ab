import { conceptsOf, findConcepts } from "../language/concept-lexicon.ts";
import type { Language } from "../language/languages.ts";
import { tokenise } from "../language/tokens.ts";
import { excerptOf } from "./excerpt.ts";
import type { HelpIndex, Passage } from "./help-index.ts";
import type { HelpQuery } from "./help-query.ts";
import { conceptTerm } from "./search-terms.ts";

export interface HelpAnswer {
  passage: Passage;
  /** The sentences that answer, in the passage's language. */
  text: string;
  score: number;
  /** How much of what was asked the passage speaks of: 0 to 1. */
  coverage: number;
}

/** A passage that the customer can read beats an English one that fits a little better. */
const ownLanguage = 1.8;

/** Passages of which the sentences are looked at; the answer is never far down. */
const candidates = 24;

/** The passages that answer a question, the best first: in the customer's language, or in English. */
export function searchHelp(index: HelpIndex, query: HelpQuery, language: Language): HelpAnswer[] {
  const rarest = Math.log(1 + index.passages.length);
  const asked = [...query.terms].reduce(
    (sum, [term, weight]) => sum + weight * index.rarity(term),
    Math.min(query.unknownWords * 0.35, 1.2) * rarest,
  );
  return index
    .search(query.terms)
    .filter(({ passage }) => passage.language === language || passage.language === "en")
    .map((hit) => (hit.passage.language === language ? { ...hit, score: hit.score * ownLanguage } : hit))
    .sort((a, b) => b.score - a.score)
    .slice(0, candidates)
    .map((hit) => {
      const { text, score: sentence } = excerptOf(hit.passage, query, index.rarity);
      const matched = [...hit.matched].reduce(
        (sum, term) => sum + (query.terms.get(term) ?? 0) * index.rarity(term),
        0,
      );
      const coverage = asked === 0 ? 0 : matched / asked;
      const score =
        hit.score *
        narrowness(hit.passage, query) *
        (0.5 + 0.25 * sentence) *
        (0.3 + 0.7 * coverage) *
        introduces(hit.passage);
      return { passage: hit.passage, text, score, coverage };
    })
    .sort((a, b) => b.score - a.score);
}

/**
 * What stands before the first heading says what a page is about, and seldom answers; the sections after it begin with
 * the general case.
 */
function introduces({ page, section }: Passage): number {
  return section.heading === null ? 0.45 : 1 / (1 + 0.03 * page.sections.indexOf(section));
}

const headingConcepts = new Map<Passage, readonly string[]>();

/** A section about something narrower than what was asked ("Returning a battery") answers less well. */
function narrowness(passage: Passage, query: HelpQuery): number {
  let concepts = headingConcepts.get(passage);
  if (!concepts) {
    const heading = passage.section.heading ?? "";
    concepts = findConcepts(heading, tokenise(heading, passage.language), passage.language)
      // The shop is at home in the United Kingdom: what holds there is the general case.
      .filter(({ concept, weight }) => weight >= 0.9 && !conceptsOf.talk.has(concept) && concept !== "uk")
      .map(({ concept }) => conceptTerm(concept));
    headingConcepts.set(passage, concepts);
  }
  return 0.65 ** concepts.filter((concept) => !query.terms.has(concept)).length;
}
