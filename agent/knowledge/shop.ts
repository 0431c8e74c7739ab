import { LRUCache } from "lru-cache";
import type { Citation } from "#lib/chat-api/message.ts";
import { boundedText } from "../language/bounded-text.ts";
import { type Language, languages } from "../language/languages.ts";
import { type Reading, readText } from "../language/reading.ts";
import { tokenise } from "../language/tokens.ts";
import { type IntentModel, learnIntents } from "../learning/intents.ts";
import { type CatalogueItem, createCatalogue } from "./catalogue.ts";
import { createHelpIndex, type HelpIndex, type Passage } from "./help-index.ts";
import { readShopData, type ShopData } from "./shop-data.ts";

/** Size of the cache of readings, in code units of their texts: the messages of a few hundred chats. */
const rememberedText = 200_000;

/** Everything that the agent knows about the shop, loaded once and held in memory. */
export interface Shop {
  data: ShopData;
  catalogue: readonly CatalogueItem[];
  help: HelpIndex;
  intents: IntentModel;
  /** Reads a text; cached, because a dialogue is read again at every turn. */
  read(text: string, language: Language): Reading;
  cite(passage: Passage, now: Date): Citation;
}

/** `shopOrigin`: the shop's address, without a trailing slash. */
export function openShop(shopOrigin: string): Shop {
  const data = readShopData();
  const known = wordsByLanguage(data);
  const isWord = (word: string, language: Language) => known[language].has(word);
  const catalogue = createCatalogue(data.products, shopOrigin, isWord);
  const readings = new LRUCache<string, Reading>({
    maxSize: rememberedText,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  return {
    data,
    catalogue,
    help: createHelpIndex(data.pages),
    intents: learnIntents({ texts: textsOf(data) }),
    read(message, language) {
      const text = boundedText(message);
      const key = `${language}\n${text}`;
      const reading = readings.get(key) ?? readText(text, language, (word) => isWord(word, language));
      readings.set(key, reading);
      return reading;
    },
    cite: (passage, now) => citationOf(passage, shopOrigin, now),
  };
}

/** The words of the help pages that are no names, which spelling correction leaves alone. */
function wordsByLanguage(data: ShopData): Record<Language, Set<string>> {
  const words: Record<Language, Set<string>> = {
    en: new Set(),
    de: new Set(),
    fr: new Set(),
    ar: new Set(),
    ja: new Set(),
  };
  for (const page of data.pages) {
    const language = languages.find((each) => each === page.locale);
    if (!language) continue;
    for (const { sentences } of page.sections)
      for (const { word, written } of sentences.flatMap((sentence) => tokenise(sentence, language)))
        if (written === written.toLowerCase()) words[language].add(word);
  }
  return words;
}

function* textsOfPages(pages: ShopData["pages"]): Iterable<{ language: string; text: string }> {
  for (const { locale, sections } of pages)
    for (const { sentences } of sections) for (const text of sentences) yield { language: locale, text };
}

function textsOf({ pages, products }: ShopData) {
  const titles = products.flatMap(({ title, summary, i18n }) =>
    Object.entries({ ...i18n, en: { title, summary } }).map(([language, own]) => ({
      language,
      text: `${own.title}: ${own.summary}`,
    })),
  );
  return [...textsOfPages(pages), ...titles];
}

/**
 * The citation's title names page and section. `updatedAt: "today"` becomes midnight UTC of the current day.
 */
function citationOf({ page, section }: Passage, shopOrigin: string, now: Date): Citation {
  const title = section.heading === null ? page.title : `${page.title}: ${section.heading}`;
  const hash = section.anchor === null ? "" : `#${encodeURIComponent(section.anchor)}`;
  const url = page.path === null ? null : shopOrigin + page.path + hash;
  const updatedAt =
    page.updatedAt === "today" ? `${now.toISOString().slice(0, 10)}T00:00:00.000Z` : page.updatedAt;
  return { title, url, updatedAt };
}
