/** Help centre search: by section, tolerant of word endings and misspellings, in each language. */
import MiniSearch from "minisearch";
import { type HelpPage, type HelpSection, listHelpPages, plainText } from "./help.ts";
import type { Locale } from "./locales.ts";

export interface HelpHit {
  page: HelpPage;
  /** Absent if the page itself matched best: its title, summary or introduction. */
  section: HelpSection | undefined;
  excerpt: string;
}

interface Entry {
  id: number;
  page: HelpPage;
  section: HelpSection | undefined;
  title: string;
  topics: string;
  text: string;
}

const excerptLength = 180;
const maxHits = 20;
/** Built on the first search in a language. */
const indexes = new Map<Locale, MiniSearch<Entry>>();

export function searchHelp(query: string, locale: Locale): HelpHit[] {
  let index = indexes.get(locale);
  if (index === undefined) {
    index = createIndex(locale);
    indexes.set(locale, index);
  }
  return index.search(query).slice(0, maxHits).map(toHit);
}

function toHit(result: Record<string, unknown>): HelpHit {
  const { page, section, text } = result as unknown as Entry;
  return { page, section, excerpt: shorten(text) };
}

function createIndex(locale: Locale): MiniSearch<Entry> {
  // Arabic and Japanese need more than spaces to separate words.
  const segmenter = new Intl.Segmenter(locale, { granularity: "word" });
  const index = new MiniSearch<Entry>({
    fields: ["title", "topics", "text"],
    storeFields: ["page", "section", "text"],
    tokenize: (text) =>
      [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment),
    searchOptions: {
      boost: { title: 3, topics: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(
    listHelpPages(locale)
      .flatMap(toEntries)
      .map((entry, id) => ({ ...entry, id })),
  );
  return index;
}

function toEntries(page: HelpPage): Omit<Entry, "id">[] {
  const whole = {
    page,
    section: undefined,
    title: page.title,
    topics: page.topics.join(" "),
    text: `${page.summary} ${plainText(page.introduction)}`,
  };
  const sections = page.sections.map((section) => ({
    page,
    section,
    title: `${page.title}: ${section.heading}`,
    topics: section.topics.join(" "),
    text: plainText(section.blocks),
  }));
  return [whole, ...sections];
}

function shorten(text: string): string {
  if (text.length <= excerptLength) return text;
  const cut = text.slice(0, excerptLength);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > excerptLength / 2 ? space : excerptLength)} …`;
}
