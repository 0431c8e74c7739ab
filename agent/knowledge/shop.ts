/**
 * The agent's knowledge: what it has learned, and the content that the shop's own pages show
 * (`lib/shop`).
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Citation } from "#lib/chat-api/message.ts";
import { catalogue as products } from "#lib/shop/catalogue.ts";
import { forms } from "#lib/shop/forms.ts";
import { helpPages, lastChange } from "#lib/shop/help.ts";
import { customers, orders } from "#lib/shop/orders.ts";
import { stores } from "#lib/shop/stores.ts";
import team from "#lib/shop/team.json" with { type: "json" };
import { boundedText } from "../language/fold.ts";
import { type Language, languages } from "../language/languages.ts";
import { createReader, type Reading } from "../language/reading.ts";
import { stemOf } from "../language/tokens.ts";
import { type ExampleSentence, readExamples, themeNames } from "../learning/examples.ts";
import { intentsBy, learnIntents, readSentences, type Sentence } from "../learning/intents.ts";
import { remember } from "../learning/remember.ts";
import { guessBy, learnLanguages } from "../learning/tongues.ts";
import { createCatalogue, productNames } from "./catalogue.ts";
import { createHelpIndex, type Passage, sectionNames } from "./help-index.ts";
import { readHelpPage } from "./help-page.ts";

/** Size of the cache of readings, in code units of their texts: the messages of a few hundred chats. */
const rememberedText = 200_000;

const root = join(import.meta.dirname, "../..");
const learnedFile = join(root, "node_modules/.cache/demo-agent/learned");
/** The data that the agent learns from, and the options of learning. */
const sources = [
  "agent/{examples,language,languages,learning,knowledge}/**/*.*",
  ...["agent/intents.json", "lib/shop/**/*.*", "package.json"],
];

/** The agent's knowledge of the shop, loaded once and held in memory. */
export type Shop = ReturnType<typeof openShop>;

/** `shopOrigin`: the shop's address, without a trailing slash. */
export function openShop(shopOrigin: string) {
  const content = readContent(shopOrigin);
  const files = globSync(sources, { cwd: root }).toSorted();
  const paths = files.map((file) => join(root, file));
  const examples = readExamples();
  return content.knowing(
    remember(learnedFile, paths, () => content.learnedFrom(content.sentences(examples), examples)),
  );
}

/** The shop's content, and how the agent learns to understand customers who ask for it. */
export function readContent(shopOrigin: string) {
  const names = [...productNames(products), ...sectionNames(helpPages), ...themeNames()];
  const read = createReader(names);
  const help = createHelpIndex(helpPages.map(readHelpPage), read);
  const catalogue = createCatalogue(products, shopOrigin, read);
  const told = help.passages.flatMap(({ language, section }) =>
    section.sentences.map((text) => ({ language, text })),
  );
  // Names tell no language: "Fell 2" is no English.
  const own = [...products.map(({ names }) => names[0] ?? ""), ...stores.map(({ name }) => name)];
  const named = (language: Language) => own.map((text) => ({ language, text }));
  // Half of the examples tell the languages apart as well as all do.
  const everySecond = <T>(texts: readonly T[]) => texts.filter((_, index) => index % 2 === 0);
  /** `texts`: by which languages are told apart. */
  const learnedFrom = (sentences: readonly Sentence[], texts: readonly ExampleSentence[]) => ({
    intents: learnIntents(sentences),
    languages: learnLanguages([
      ...everySecond(texts.filter(({ author }) => author !== "shop")),
      ...told,
      ...languages.flatMap(named),
    ]),
  });
  const knowing = (learned: ReturnType<typeof learnedFrom>) => {
    const intents = intentsBy(learned.intents);
    const readings = new LRUCache<string, Reading>({
      maxSize: rememberedText,
      sizeCalculation: ({ text }) => text.length + 1,
    });
    const readMessage = createReader(names, {
      words: (language) => learned.intents.words[language] ?? [],
      // Words that the help pages have, or more than a few examples, are not misspelt.
      isWord(word, language) {
        const stem = stemOf(word, language);
        return help.isKnown(stem) || intents.isKnown(stem, 5);
      },
    });
    return {
      ...{ customers, orders, forms, stores, agentName: team.agent.name },
      ...{ catalogue, help, intents },
      languageOf: guessBy(learned.languages),
      /** Reads a text; cached, because a dialogue is read again at every turn. */
      read(message: string, language: Language): Reading {
        const text = boundedText(message);
        const key = `${language}\n${text}`;
        const reading = readings.get(key) ?? readMessage(text, language);
        readings.set(key, reading);
        return reading;
      },
      titleOf,
      cite: (passage: Passage, now: Date) => citationOf(passage, shopOrigin, now),
    };
  };
  const sentences = (examples: readonly ExampleSentence[]) => readSentences(examples, read);
  return { sentences, learnedFrom, knowing };
}

/** Names page and section. */
function titleOf({ page, section }: Passage): string {
  return section.heading === null ? page.title : `${page.title}: ${section.heading}`;
}

function citationOf(passage: Passage, shopOrigin: string, now: Date): Citation {
  const { page, section } = passage;
  const hash = section.anchor === null ? "" : `#${encodeURIComponent(section.anchor)}`;
  return {
    title: titleOf(passage),
    url: page.path === null ? null : shopOrigin + page.path + hash,
    updatedAt: lastChange(page, now)?.toISOString() ?? null,
  };
}
