import MiniSearch from "minisearch";
import { type Language, languages } from "../language/languages.ts";
import type { HelpPage, HelpSection } from "./help-page.ts";
import { termsOf } from "./search-terms.ts";

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
  terms: ReadonlySet<string>;
  /** Its numbers and Latin names, which a translation keeps. */
  figures: readonly string[];
}

export type WeightedTerms = ReadonlyMap<string, number>;

export interface HelpIndex {
  passages: readonly Passage[];
  /** The passages in the language or in English that contain any of the terms, the best first. */
  search(terms: WeightedTerms, language: Language): Passage[];
  /** A term's inverse document frequency; 0 if no passage contains it. */
  rarity(term: string): number;
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
    // Documents and queries are given as terms, one a line.
    tokenize: (text) => text.split("\n"),
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
  return { passages, search, rarity };

  function search(terms: WeightedTerms, language: Language): Passage[] {
    const query = [...terms.keys()].join("\n");
    if (query === "") return [];
    return index.search(query, { boostTerm: (term) => terms.get(term) ?? 1 }).flatMap((result) => {
      const passage = byId.get(String(result["id"]));
      return passage && (passage.language === language || passage.language === "en") ? [passage] : [];
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
    terms: terms([
      page.title,
      ...page.topics,
      section.heading ?? "",
      ...section.topics,
      ...section.sentences,
    ]),
    figures: [...new Set(section.sentences.join(" ").match(/\d[\d.,:]*\d|\b[A-Z][A-Za-z]{3,}/g) ?? [])],
  };
}

interface PassageDocument extends Record<(typeof fields)[number], string> {
  id: string;
}

function documentOf(passage: Passage): PassageDocument {
  const { page, section, language } = passage;
  const terms = (texts: readonly string[]) => texts.flatMap((text) => termsOf(text, language)).join("\n");
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
    for (const term of new Set(fields.flatMap((field) => document[field].split("\n")))) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}

/** The English section of this name: "page#anchor", or "page" for its introduction. */
export function sectionNamed(name: string, { passages }: HelpIndex): Passage {
  const [slug, anchor = null] = name.split("#");
  const found = passages.find(
    ({ page, section, language }) => page.slug === slug && section.anchor === anchor && language === "en",
  );
  if (!found) throw new Error(`no section ${name}`);
  return found;
}
