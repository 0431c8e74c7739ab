import type { HelpPage as ShopHelpPage } from "#lib/shop/help.ts";
import { byLanguage, type Language, languageOfLocale, languages } from "../language/languages.ts";
import type { Name } from "../language/lexicon.ts";
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
}

/** The pages' names for their sections: by the heading, and by the page's title and the heading. */
export function sectionNames(pages: readonly ShopHelpPage[]): Name[] {
  return pages.flatMap(({ slug, title, locale, sections }) => {
    const language = languageOfLocale(locale);
    const name = (key: string, text: string): Name => ({ type: "section", key, text, language });
    const named = sections.flatMap(({ anchor, heading, translates: [english = anchor] }) =>
      [heading, `${title}: ${heading}`].map((text) => name(`${slug}#${english}`, text)),
    );
    return [name(slug, title), ...named];
  });
}

export type HelpIndex = ReturnType<typeof createHelpIndex>;

export function createHelpIndex(pages: readonly HelpPage[], read: Read) {
  const passages = pages.flatMap((page) => page.sections.map((section) => passageOf(page, section, read)));
  const { en: english, ...others } = byLanguage((own) => passages.filter(({ language }) => language === own));
  const rarities = new Map<string, number>();
  // A word counts in its own language, and what has a name in each counts in English, which has most pages.
  for (const all of [...Object.values(others), english])
    for (const [term, { length }] of Map.groupBy(
      all.flatMap(({ terms }) => [...terms]),
      (each) => each,
    ))
      rarities.set(term, Math.log(1 + all.length / length));
  return {
    passages,
    /** Whether a page has the term. */
    isKnown: (term: string) => rarities.has(term),
    /** A term's inverse document frequency; 0 if no passage contains it. */
    rarity: (term: string) => rarities.get(term) ?? 0,
    /**
     * The section of this English name in a language, or in English if it is not translated: "page#anchor",
     * or "page" for its introduction.
     */
    section(name: string, language: Language): Passage {
      const [slug, anchor = null] = name.split("#");
      const covers = ({ page, section }: Passage) =>
        page.slug === slug &&
        (section.anchor === anchor || section.translates.some((each) => each === anchor));
      const own = passages.find((passage) => passage.language === language && covers(passage));
      const found = own ?? english.find(covers);
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
  const all = new Set([subject, heading, ...sentenceTerms].flatMap((each) => [...each]));
  return { page, section, language, subject, heading, sentenceTerms, terms: all };
}
