/** Finds the section of the help pages that answers a question. */
import type { Language } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { type Aspect, aspects, excerptOf } from "./excerpt.ts";
import type { HelpIndex, Passage } from "./help-index.ts";
import { termsOfReading } from "./search-terms.ts";

export interface HelpAnswer {
  passage: Passage;
  /** The sentences that answer the question, in the passage's language. */
  text: string;
  score: number;
  /** The share of the question that the passage covers: 0 to 1. */
  coverage: number;
}

/** A question with the terms that it leaves out, of an earlier message or of the product it is about. */
export interface HelpQuestion {
  reading: Reading;
  carried?: readonly string[];
  lengthsCm: readonly number[];
}

/** How much a term counts that was not said in the message itself. */
const carriedWeight = 0.5;
/** How much the usual section of an intent is preferred to its others. */
const usual = 0.25;
/** How much a question with a price in mind prefers a section whose heading says so. */
const announced = 1.5;

/** The sections `of` an intent, the best first. Without an intent, the passages that the index finds. */
export function findHelp(index: HelpIndex, question: HelpQuestion, of?: readonly Passage[]): HelpAnswer[] {
  const { reading, carried = [] } = question;
  const terms = new Map<string, number>();
  for (const term of carried) terms.set(term, carriedWeight);
  for (const term of termsOfReading(reading)) terms.set(term, 1);
  const wanted = aspects.filter((aspect) => reading.all("mark").includes(aspect));
  const worth = (term: string) => (terms.get(term) ?? 0) * index.rarity(term);
  const rarest = Math.log(1 + index.passages.length);
  const asked = [...terms].reduce(
    (sum, [term, weight]) => sum + weight * (index.rarity(term) || rarest / 2),
    0,
  );
  const candidates = of ?? index.search(terms, reading.language).slice(0, 24);
  return candidates
    .map((passage, place) => {
      const { text, matched } = excerptOf(passage, {
        terms,
        worth,
        aspects: wanted,
        lengthsCm: question.lengthsCm,
      });
      let score = place === 0 && of ? usual * rarest : 0;
      let covered = 0;
      for (const term of terms.keys()) {
        const inHeading = passage.heading.has(term);
        if (!inHeading && !matched.has(term) && !passage.terms.has(term)) continue;
        covered += worth(term);
        score += worth(term) * (inHeading ? 1.8 : matched.has(term) ? 1 : 0.5);
      }
      score += wanted.filter((aspect) => isAnnounced(passage, aspect)).length * announced;
      return { passage, text, score, coverage: asked === 0 ? 0 : covered / asked };
    })
    .sort((one, other) => other.score - one.score);
}

function isAnnounced({ heading }: Passage, aspect: Aspect): boolean {
  return heading.has(`#mark ${aspect}`);
}

/**
 * The sections in a language: those of the translated page that share the most numbers and names with each
 * English one, or the English ones if the page is not translated.
 */
export function inLanguage(index: HelpIndex, english: readonly Passage[], language: Language): Passage[] {
  const found = english.map((passage) => {
    const own = index.passages.filter(
      ({ page, language: its }) => page.slug === passage.page.slug && its === language,
    );
    const order = (one: Passage) => one.page.sections.indexOf(one.section) / one.page.sections.length;
    const likeness = (other: Passage) => {
      const shared = passage.figures.filter((figure) => other.figures.includes(figure)).length;
      return shared / Math.sqrt(1 + other.figures.length) - Math.abs(order(passage) - order(other));
    };
    return own.length === 0
      ? passage
      : own.reduce((one, other) => (likeness(other) > likeness(one) ? other : one));
  });
  return [...new Set(found)];
}
