import { LRUCache } from "lru-cache";
import type { Citation } from "#lib/chat-api/message.ts";
import { boundedText } from "../language/bounded-text.ts";
import type { Concept } from "../language/concept-lexicon.ts";
import { type Language, languages } from "../language/languages.ts";
import { type Reading, readText } from "../language/reading.ts";
import { createVocabulary } from "../language/vocabulary.ts";
import { type CatalogueItem, createCatalogue } from "./catalogue.ts";
import { createHelpIndex, type HelpIndex, type Passage } from "./help-index.ts";
import { helpQueryOf } from "./help-query.ts";
import { type HelpAnswer, searchHelp } from "./search-help.ts";
import { readShopData, type ShopData } from "./shop-data.ts";

/**
 * Size of the cache of readings, in code units of their texts: the messages of a few hundred chats. A reading
 * takes about two hundred times the memory of its text.
 */
const rememberedText = 200_000;

/** Everything that the agent knows about the shop, loaded once and held in memory. */
export interface Shop {
  data: ShopData;
  catalogue: readonly CatalogueItem[];
  help: HelpIndex;
  /** Reads a text; cached, because a dialogue is read again at every turn. */
  read(text: string, language: Language): Reading;
  /** Searches the help pages; `carried` are concepts that the question leaves out. */
  ask(reading: Reading, carried?: readonly Concept[]): readonly HelpAnswer[];
  cite(passage: Passage, now: Date): Citation;
}

/** `shopOrigin`: the shop's address, without a trailing slash. */
export function openShop(shopOrigin: string): Shop {
  const data = readShopData();
  const catalogue = createCatalogue(data.products, shopOrigin);
  const names = catalogue.flatMap((item) => [...item.names]);
  const brands = data.products.flatMap((product) => product.brand?.toLowerCase().split(/[^\p{L}]+/u) ?? []);
  const vocabulary = createVocabulary(
    textsByLanguage(data),
    [...names, ...brands].filter((name) => name.length > 2),
  );
  const help = createHelpIndex(data.pages);
  const readings = new LRUCache<string, Reading>({
    maxSize: rememberedText,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  const answers = new WeakMap<Reading, Map<string, readonly HelpAnswer[]>>();
  return {
    data,
    catalogue,
    help,
    read(message, language) {
      const text = boundedText(message);
      const key = `${language}\n${text}`;
      const known = readings.get(key);
      if (known) return known;
      const reading = readText(text, language, vocabulary);
      readings.set(key, reading);
      return reading;
    },
    ask(reading, carried = []) {
      const ofReading = answers.get(reading) ?? new Map<string, readonly HelpAnswer[]>();
      answers.set(reading, ofReading);
      const key = carried.join(" ");
      const known = ofReading.get(key);
      if (known) return known;
      const found = searchHelp(help, helpQueryOf(reading, carried), reading.language);
      ofReading.set(key, found);
      return found;
    },
    cite: (passage, now) => citationOf(passage, shopOrigin, now),
  };
}

function textsByLanguage(data: ShopData): Record<Language, string[]> {
  const texts: Record<Language, string[]> = { en: [], de: [], fr: [], ar: [], ja: [] };
  for (const page of data.pages) {
    const language = languages.find((each) => each === page.locale);
    if (!language) continue;
    texts[language].push(page.title, ...page.topics);
    for (const section of page.sections) texts[language].push(section.heading ?? "", ...section.sentences);
  }
  for (const product of data.products) {
    texts.en.push(
      product.title,
      product.summary,
      ...product.description,
      ...product.tags,
      ...product.colours,
    );
    texts.en.push(...product.specs.flatMap(({ label, value }) => [label, value]));
    for (const language of languages) {
      const local = product.i18n[language];
      if (local) texts[language].push(local.title, local.summary);
    }
  }
  return texts;
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
