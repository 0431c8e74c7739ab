import MiniSearch from "minisearch";
import { type Language, languages } from "../language/languages.ts";
import type { Read } from "../language/reading.ts";
import type { HelpPage, HelpSection } from "./help-page.ts";

/** A section of a help page, prepared for search and citation. */
export interface Passage {
  page: HelpPage;
  section: HelpSection;
  language: Language;
  /** The terms of the page's title and topics. */
  subject: ReadonlySet<string>;
  /** The terms of the section's heading and topics. */
  heading: ReadonlySet<string>;
  sentenceTerms: readonly ReadonlySet<string>[];
  terms: ReadonlySet<string>;
  /** Its numbers and Latin names, which a translation keeps. */
  figures: readonly string[];
}

export type HelpIndex = ReturnType<typeof createHelpIndex>;

export function createHelpIndex(pages: readonly HelpPage[], read: Read) {
  const passages = pages.flatMap((page) => page.sections.map((section) => passageOf(page, section, read)));
  const index = new MiniSearch<Passage & { id: number }>({
    fields: ["heading", "subject", "terms"],
    // Documents and queries are given as terms, one a line.
    extractField: (passage, field) =>
      field === "heading" || field === "subject" || field === "terms"
        ? [...passage[field]].join("\n")
        : String(passage.id),
    tokenize: (text) => text.split("\n"),
    processTerm: (term) => term || null,
    searchOptions: { boost: { heading: 3, subject: 2, terms: 1 }, combineWith: "OR" },
  });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  const english = passages.filter(({ language }) => language === "en");
  const rarities = new Map<string, number>();
  // Terms of English pages count there only: translated topics would seem more common than others.
  for (const all of [passages, english])
    for (const [term, { length }] of Map.groupBy(
      all.flatMap(({ terms }) => [...terms]),
      (each) => each,
    ))
      rarities.set(term, Math.log(1 + all.length / length));
  return {
    passages,
    /** The passages in the language or in English that contain any of the terms, the best first. */
    search: (terms: ReadonlySet<string>, language: Language): Passage[] =>
      index
        .search([...terms].join("\n"))
        .flatMap(({ id }) => passages[Number(id)] ?? [])
        .filter((passage) => passage.language === language || passage.language === "en"),
    /** A term's inverse document frequency; 0 if no passage contains it. */
    rarity: (term: string) => rarities.get(term) ?? 0,
    /** The English section of this name: "page#anchor", or "page" for its introduction. */
    section(name: string): Passage {
      const [slug, anchor = null] = name.split("#");
      const found = english.find(({ page, section }) => page.slug === slug && section.anchor === anchor);
      if (!found) throw new Error(`no section ${name}`);
      return found;
    },
  };
}

function passageOf(page: HelpPage, section: HelpSection, read: Read): Passage {
  const language = languages.find((each) => each === page.locale) ?? "en";
  const terms = (texts: readonly string[]) => new Set(texts.flatMap((text) => read(text, language).terms));
  const subject = terms([page.title, ...page.topics]);
  const heading = terms([section.heading ?? page.title, ...section.topics]);
  const sentenceTerms = section.sentences.map((sentence) => terms([sentence]));
  return {
    page,
    section,
    language,
    subject,
    heading,
    sentenceTerms,
    terms: new Set([subject, heading, ...sentenceTerms].flatMap((each) => [...each])),
    figures: [...new Set(section.sentences.join(" ").match(/\d[\d.,:]*\d|\b[A-Z][A-Za-z]{3,}/g) ?? [])],
  };
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
    return own.sort((one, other) => likeness(other) - likeness(one))[0] ?? passage;
  });
  return [...new Set(found)];
}
