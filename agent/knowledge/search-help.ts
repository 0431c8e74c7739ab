import { type Concept, conceptsOf, findConcepts } from "../language/concept-lexicon.ts";
import type { Language } from "../language/languages.ts";
import { tokenise } from "../language/tokens.ts";
import { excerptOf } from "./excerpt.ts";
import type { HelpIndex, Passage } from "./help-index.ts";
import { type Aspect, faintConcepts, type HelpQuery } from "./help-query.ts";
import { conceptTerm } from "./search-terms.ts";

export interface HelpAnswer {
  passage: Passage;
  /** The sentences that answer the question, in the passage's language. */
  text: string;
  score: number;
  /** The share of the query that the passage covers: 0 to 1. */
  coverage: number;
}

/** Factor for passages in the customer's language: they beat slightly better ones in English. */
const ownLanguage = 1.5;

/** Number of hits that are scored in detail. The others are ignored. */
const candidates = 32;

/** The weight of a term by the most prominent place where the passage has it. */
const placeWeights = { heading: 1.5, title: 1.1, excerpt: 1.25, body: 0.9, page: 0.6 };
/** A bonus for the subject of the whole page. */
const pageBonus = 0.15;
/**
 * A bonus for a requested kind of fact: stated in the excerpt, or announced by the heading ("When the refund
 * arrives").
 */
const aspectBonus = { excerpt: 0.2, heading: 0.3 };
const announcing: Record<Aspect, readonly Concept[]> = {
  price: ["price", "free"],
  duration: ["how-long", "deadline", "when", "validity"],
  time: ["when", "open"],
  contact: ["phone", "email", "address"],
};

/** The passages that answer a question, best first, in the customer's language or in English. */
export function searchHelp(index: HelpIndex, query: HelpQuery, language: Language): HelpAnswer[] {
  const rarest = Math.log(1 + index.passages.length);
  const known = [...query.terms].reduce((sum, [term, weight]) => sum + weight * index.rarity(term), 0);
  const asked =
    known + Math.min(query.unknownWords * 0.35 + unmentionedThings(index, query) * 0.7, 1.2) * rarest;
  if (known === 0) return [];
  const subjects = [...query.terms].filter(([term]) => topicTerms.has(term) && index.isSubject(term));
  return index
    .search(query.terms)
    .filter(({ passage }) => passage.language === language || passage.language === "en")
    .slice(0, candidates)
    .map(({ passage, matched }) => {
      const { text, terms, aspects } = excerptOf(passage, query, index.rarity);
      let fit = 0;
      let covered = 0;
      let ofPage = 0;
      for (const term of matched) {
        const worth = (query.terms.get(term) ?? 0) * index.rarity(term);
        const weight = placeWeight(term, passage, terms);
        fit += worth * weight;
        covered += worth * Math.min(1, weight);
        if (passage.pageSubject.has(term)) ofPage += worth;
      }
      const own = passage.language === language ? ownLanguage : 1;
      const stated = aspects.size * aspectBonus.excerpt + announced(passage, query) * aspectBonus.heading;
      const share = 0.4 + (0.6 * covered) / known;
      const onPage = 0.8 + (0.4 * ofPage) / known;
      const score =
        (fit / known + stated) *
        share *
        onPage *
        agreement(passage, subjects) *
        narrowness(passage, query) *
        generality(passage) *
        own;
      return { passage, text, score, coverage: covered / asked };
    })
    .sort((one, other) => other.score - one.score);
}

/**
 * Counts the query's things that no page mentions. They lower the coverage: a passage that has only the
 * question's other words does not answer it.
 */
export function unmentionedThings(index: HelpIndex, query: HelpQuery): number {
  const things = [...query.terms.keys()].filter((term) => thingTerms.has(term));
  return things.filter((term) => index.rarity(term) === 0).length;
}

/**
 * A question that names a page's subject ("how long is the guarantee?") is about that subject, even if a
 * section of another page matches its other words better ("How long you have").
 */
function agreement({ pageSubject, heading }: Passage, subjects: readonly [string, number][]): number {
  let named = 0;
  let shared = 0;
  for (const [term, weight] of subjects) {
    named += weight;
    shared += weight * (pageSubject.has(term) ? 1 : heading.has(term) ? 0.8 : 0);
  }
  return named === 0 ? 1 : 1 - disagreement + (disagreement * shared) / named;
}

const disagreement = 0.4;

const topicTerms: ReadonlySet<string> = new Set(
  [...conceptsOf.shop, ...conceptsOf.workshop]
    .filter((concept) => !faintConcepts.has(concept))
    .map(conceptTerm),
);

const thingTerms: ReadonlySet<string> = new Set([...conceptsOf.things].map(conceptTerm));

function placeWeight(term: string, passage: Passage, excerpt: ReadonlySet<string>): number {
  const bonus = passage.pageSubject.has(term) ? pageBonus : 0;
  const isIntroduction = passage.section.heading === null;
  if (passage.heading.has(term) && !isIntroduction) return placeWeights.heading + bonus;
  if (excerpt.has(term)) return placeWeights.excerpt + bonus;
  if (passage.heading.has(term)) return placeWeights.title + bonus;
  if (passage.sentenceTerms.some((terms) => terms.has(term))) return placeWeights.body + bonus;
  return placeWeights.page;
}

function announced({ section, heading }: Passage, { aspects }: HelpQuery): number {
  if (section.heading === null) return 0;
  return [...aspects].filter((aspect) =>
    announcing[aspect].some((concept) => heading.has(conceptTerm(concept))),
  ).length;
}

/**
 * A factor that lowers introductions, because they seldom answer a question, and later sections: the first
 * ones cover the general case.
 */
function generality({ page, section }: Passage): number {
  return section.heading === null ? 0.6 : 1 / (1 + 0.03 * Math.min(5, page.sections.indexOf(section)));
}

/**
 * Concepts that do not narrow a section. The shop is in the United Kingdom, so the rules there are the
 * general case. Exceptions to returns and times of arrival concern every question about returns and delivery.
 */
const general: ReadonlySet<Concept> = new Set<Concept>(["uk", "cannot-return", "order-arrival", "ready"]);

const headingConcepts = new Map<Passage, readonly string[]>();

/**
 * A factor below 1 for sections that are narrower than the question ("Returning a battery") or about a case
 * that it does not name ("If you are out").
 */
function narrowness(passage: Passage, query: HelpQuery): number {
  let concepts = headingConcepts.get(passage);
  if (!concepts) {
    const heading = passage.section.heading ?? "";
    concepts = findConcepts(heading, tokenise(heading, passage.language), passage.language)
      .filter(
        ({ concept, weight }) =>
          weight >= 0.9 &&
          !conceptsOf.talk.has(concept) &&
          !faintConcepts.has(concept) &&
          !general.has(concept),
      )
      .map(({ concept }) => conceptTerm(concept))
      .filter((term) => !passage.pageSubject.has(term));
    headingConcepts.set(passage, concepts);
  }
  const others = concepts.filter((concept) => !query.terms.has(concept)).length;
  const isList = /\s(?:and|und|et)\s|、|と|\sو/u.test(passage.section.heading ?? "");
  // A heading with several things ("Punctures and small jobs"), or one partly named in the question, is less
  // narrow.
  const condition =
    others > 0 && /^(?:If|Wenn|Falls|Si|إذا)\s/u.test(passage.section.heading ?? "") ? 0.8 : 1;
  return condition * (isList || others < concepts.length ? 0.87 : 0.75) ** others;
}
