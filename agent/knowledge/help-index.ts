import MiniSearch from "minisearch";
import { conceptsOf, findConcepts } from "../language/concept-lexicon.ts";
import { type Language, languages } from "../language/languages.ts";
import { tokenise } from "../language/tokens.ts";
import type { HelpPage, HelpSection } from "./help-page.ts";
import { conceptTerm, termsOf } from "./search-terms.ts";

/** A section of a help page, prepared for search and citation. */
export interface Passage {
  id: string;
  page: HelpPage;
  section: HelpSection;
  language: Language;
  /** The terms of the page's title and topics. */
  pageSubject: ReadonlySet<string>;
  /** The terms of the section's heading and topics. */
  heading: ReadonlySet<string>;
  sentenceTerms: readonly ReadonlySet<string>[];
  /** For each sentence, the terms of things that it names besides the subject of page and section. */
  sentenceThings: readonly (readonly string[])[];
}

export interface PassageHit {
  passage: Passage;
  score: number;
  /** The query's terms that the passage contains. */
  matched: ReadonlySet<string>;
}

export type WeightedTerms = ReadonlyMap<string, number>;

export interface HelpIndex {
  passages: readonly Passage[];
  /** Passages that contain any of the terms, best first. */
  search(terms: WeightedTerms): PassageHit[];
  /** A term's inverse document frequency; 0 if no passage contains it. */
  rarity(term: string): number;
  /** Whether the term is a subject of a page. */
  isSubject(term: string): boolean;
}

const fields = ["heading", "topics", "title", "body"] as const;
const boost = { heading: 3, topics: 2, title: 2, body: 1 };

export function createHelpIndex(pages: readonly HelpPage[]): HelpIndex {
  const passages = pages.flatMap((page) =>
    page.sections.map((section, index) => passageOf(page, section, index)),
  );
  const byId = new Map<string, Passage>(passages.map((passage) => [passage.id, passage]));
  const documents = passages.map(documentOf);
  const index = new MiniSearch({
    fields: [...fields],
    // Documents and queries are given as terms separated by spaces.
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term || null,
    searchOptions: { boost, combineWith: "OR" },
  });
  index.addAll(documents);
  // Counts English pages only: translated topics would otherwise seem more common than others.
  const whole = documents.filter((_, index) => passages[index]?.language === "en");
  const frequency = countDocuments(documents);
  const frequencyInWhole = countDocuments(whole);
  const rarity = (term: string) => {
    const inWhole = frequencyInWhole.get(term);
    if (inWhole !== undefined) return Math.log(1 + whole.length / inWhole);
    const count = frequency.get(term) ?? 0;
    return count === 0 ? 0 : Math.log(1 + passages.length / count);
  };
  const subjects = new Set(passages.flatMap((passage) => [...passage.pageSubject]));
  return { passages, search, rarity, isSubject: (term) => subjects.has(term) };

  function search(terms: WeightedTerms): PassageHit[] {
    const query = [...terms.keys()].join(" ");
    if (query === "") return [];
    return index.search(query, { boostTerm: (term) => terms.get(term) ?? 1 }).flatMap((result) => {
      const passage = byId.get(String(result["id"]));
      return passage ? [{ passage, score: result.score, matched: new Set(result.queryTerms) }] : [];
    });
  }
}

function passageOf(page: HelpPage, section: HelpSection, index: number): Passage {
  const language = languages.find((each) => each === page.locale) ?? "en";
  const terms = (texts: readonly string[]) => new Set(texts.flatMap((text) => termsOf(text, language)));
  const pageSubject = terms([page.title, ...page.topics]);
  const heading = terms([section.heading ?? page.title, ...section.topics]);
  return {
    id: `${page.slug}.${page.locale}#${index}`,
    page,
    section,
    language,
    pageSubject,
    heading,
    sentenceTerms: section.sentences.map((sentence) => terms([sentence])),
    sentenceThings: section.sentences.map((sentence) =>
      thingsIn(sentence, language).filter((thing) => !pageSubject.has(thing) && !heading.has(thing)),
    ),
  };
}

function thingsIn(sentence: string, language: Language): string[] {
  const mentions = findConcepts(sentence, tokenise(sentence, language), language);
  const things = mentions.filter(({ concept, weight }) => weight >= 0.9 && conceptsOf.things.has(concept));
  return [...new Set(things.map(({ concept }) => conceptTerm(concept)))];
}

interface PassageDocument extends Record<(typeof fields)[number], string> {
  id: string;
}

function documentOf(passage: Passage): PassageDocument {
  const { page, section, language } = passage;
  const terms = (texts: readonly string[]) => texts.flatMap((text) => termsOf(text, language)).join(" ");
  return {
    id: passage.id,
    heading: terms([section.heading ?? page.title]),
    topics: terms([...section.topics]),
    title: terms([page.title, ...page.topics]),
    body: terms(section.sentences),
  };
}

function countDocuments(documents: readonly PassageDocument[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const document of documents) {
    for (const term of new Set(fields.flatMap((field) => document[field].split(" ")))) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}
