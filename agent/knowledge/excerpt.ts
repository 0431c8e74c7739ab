import { languageData } from "../language/lexicon.ts";
import type { Passage, WeightedTerms } from "./help-index.ts";

/** A section up to this length is quoted whole. */
const shortSection = 480;
const maxLength = 420;
const maxSentences = 3;

/** The kinds of facts that a question can ask for; sentences that state one score higher. */
export const aspects = ["price", "free", "duration", "time", "contact"] as const;
export type Aspect = (typeof aspects)[number];

const figures: Record<Aspect, RegExp> = {
  price: /[£€¥%]|\bKD\b/u,
  free: /[£€¥]/u,
  duration: /$^/u,
  time: /\d{1,2}:\d{2}/u,
  contact: /\+\d{2}|@|\b[A-Z]{2}\d \d[A-Z]{2}\b/u,
};

/** What an excerpt is chosen for. */
export interface ExcerptQuery {
  terms: WeightedTerms;
  worth(term: string): number;
  aspects: readonly Aspect[];
  /** Body or head measurements that the customer gave, in centimetres. */
  lengthsCm: readonly number[];
}

/** Joins the chosen sentences. Items of one list follow its introduction, separated by semicolons. */
function compose(chosen: readonly ScoredSentence[], { section, language }: Passage): string {
  const space = language === "ja" ? "" : " ";
  let text = "";
  chosen.forEach((sentence, index) => {
    const lead = section.leads[sentence.index] ?? null;
    const before = chosen[index - 1];
    const continues = lead !== null && before !== undefined && section.leads[before.index] === lead;
    const after = chosen[index + 1];
    const last = lead !== null && (after === undefined || section.leads[after.index] !== lead);
    text += continues ? "; " : text === "" ? "" : space;
    text += lead !== null && !continues ? `${lead} ${sentence.text}` : sentence.text;
    if (last && !/[.。!?]$/u.test(text)) text += language === "ja" ? "。" : ".";
  });
  return text;
}

export interface Excerpt {
  text: string;
  /** The query's terms in the excerpt. */
  matched: ReadonlySet<string>;
}

/** The passage's sentences that answer the query, in their order. */
export function excerptOf(passage: Passage, query: ExcerptQuery): Excerpt {
  const { back } = languageData[passage.language];
  // Terms of the heading and the page's title hardly distinguish the passage's sentences.
  const worthOf = (term: string) =>
    query.worth(term) * (passage.heading.has(term) ? 0.2 : passage.pageSubject.has(term) ? 0.4 : 1);
  const sentences = passage.section.sentences.map((text, index) => {
    const terms = passage.sentenceTerms[index];
    const matched = [...query.terms.keys()].filter((term) => terms?.has(term));
    const stated = query.aspects.filter(
      (aspect) => figures[aspect].test(text) || terms?.has(`#mark ${aspect}`),
    );
    const worth = new Map<string, number>([
      ...matched.map((term): [string, number] => [term, worthOf(term)]),
      ...stated.map((aspect): [string, number] => [`=${aspect}`, 2]),
    ]);
    if (query.lengthsCm.some((length) => isWithinRange(text, length))) worth.set("=range", 4);
    // A sentence about other goods than the question's is about an exception.
    const beside = [...(terms ?? [])].filter(
      (term) =>
        term.startsWith("#good") &&
        !query.terms.has(term) &&
        !passage.heading.has(term) &&
        !passage.pageSubject.has(term),
    ).length;
    return {
      text,
      index,
      worth,
      matched,
      score: sum(worth.values()) + (index === 0 ? 1 : 0) - Math.min(beside, 3) * 2,
      pointsBack: new RegExp(back, "u").test(text),
    };
  });
  const isShort = sum(sentences.map(({ text }) => text.length)) <= shortSection;
  const chosen = isShort ? sentences : chooseSentences(sentences);
  return { text: compose(chosen, passage), matched: new Set(chosen.flatMap((sentence) => sentence.matched)) };
}

/** Whether the text has a range that includes the length, such as "55–59 cm" or "159 to 168 cm". */
function isWithinRange(text: string, length: number): boolean {
  return Array.from(text.matchAll(/(\d{2,3})\s*(?:[–〜-]|\p{L}{1,4})\s*(\d{2,3})\s*cm/giu)).some(
    ([, from, to]) => Number(from) <= length && length <= Number(to),
  );
}

interface ScoredSentence {
  text: string;
  index: number;
  matched: readonly string[];
  /** The weight of each part of the query that the sentence answers. */
  worth: ReadonlyMap<string, number>;
  score: number;
  /** Whether it refers to the sentence before, so that an excerpt has both. */
  pointsBack: boolean;
}

/**
 * Chooses the best sentence, others that answer the rest of the query and, up to the maximum length, the
 * sentences after the best: they belong to the answer more often than distant ones with the same words.
 */
function chooseSentences(sentences: readonly ScoredSentence[]): ScoredSentence[] {
  const best = sentences.reduce((one, other) => (other.score > one.score ? other : one));
  const chosen = new Set(withAntecedents(best, sentences));
  const answered = new Set([...chosen].flatMap((sentence) => [...sentence.worth.keys()]));
  const open = (sentence: ScoredSentence) =>
    sum([...sentence.worth].filter(([term]) => !answered.has(term)).map(([, worth]) => worth));
  const add = (sentence: ScoredSentence) => {
    const wanted = withAntecedents(sentence, sentences).filter((each) => !chosen.has(each));
    const length = sum([...chosen, ...wanted].map((each) => each.text.length));
    if (chosen.size + wanted.length > maxSentences || length > maxLength) return false;
    for (const each of wanted) {
      chosen.add(each);
      for (const term of each.worth.keys()) answered.add(term);
    }
    return true;
  };
  for (const sentence of sentences.toSorted((a, b) => open(b) - open(a))) {
    if (!chosen.has(sentence) && open(sentence) > best.score * 0.35) add(sentence);
  }
  let next = sentences[best.index + 1];
  while (next && add(next)) next = sentences[next.index + 1];
  return [...chosen].sort((a, b) => a.index - b.index);
}

function withAntecedents(sentence: ScoredSentence, sentences: readonly ScoredSentence[]): ScoredSentence[] {
  const chain = [sentence];
  let first = sentence;
  while (first.pointsBack) {
    const before = sentences[first.index - 1];
    if (!before) break;
    chain.unshift(before);
    first = before;
  }
  return chain;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
