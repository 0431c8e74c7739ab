/** What a message can want: a row of `intents.json` for each folder of examples, and how it is recognised. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Language, languageOfLocale, languages } from "../language/languages.ts";
import { type Reading, readText } from "../language/reading.ts";
import { tokenise } from "../language/tokens.ts";
import { type ExampleSentence, readExamples } from "./examples.ts";
import { letterFeatures, wordFeatures } from "./features.ts";
import { hashed, learn } from "./softmax.ts";

const Row = z.strictObject({
  /** The sections of help pages that can answer it ("returns#gifts"), the usual one first. */
  help: z.array(z.string()).optional(),
  /** What chooses among the sections besides their words. */
  by: z.enum(["place", "size", "levels"]).optional(),
  form: z.string().optional(),
  orders: z.enum(["open", "workshop", "all", "topic"]).optional(),
  hours: z.enum(["hours", "contact"]).optional(),
  products: z.string().optional(),
  /** The same as the last wish, for another thing. */
  same: z.literal(true).optional(),
  /** Another wish instead of the last one. */
  instead: z.literal(true).optional(),
  talk: z.string().optional(),
  choices: z.string().optional(),
  offer: z.enum(["asked", "upset", "not_helped"]).optional(),
  unknown: z.literal(true).optional(),
  /** What must have come before: products shown, or any wish. */
  after: z.enum(["products", "wish"]).optional(),
});
export type IntentRow = z.infer<typeof Row>;

export const rows: Readonly<Record<string, IntentRow>> = z
  .record(z.string(), Row)
  .parse(JSON.parse(readFileSync(new URL("../intents.json", import.meta.url), "utf8")));
const intents = Object.keys(rows);

export interface Ranked {
  intent: string;
  row: IntentRow;
  /** The probability that the intent's answer is wanted, including its neighbours with the same one. */
  confidence: number;
}

/** The answer that intents share: a page, the catalogue, the orders. */
export function answerOf(intent: string): string {
  const { help, products, orders, hours, unknown } = rows[intent] ?? {};
  return (
    help?.[0]?.split("#")[0] ??
    (products && "products") ??
    (orders && "orders") ??
    (hours && "hours") ??
    (unknown && "unknown") ??
    intent
  );
}
const answers = intents.map(answerOf);

/** Sharpens the averaged probabilities, which are too modest: fitted on the split by author. */
const sharpness = 2;

/** The share of the examples that makes a word common. */
const common = 0.008;

export interface IntentModel {
  /** The intents of a text, the likeliest first. `prior`: how much the dialogue speaks for the intent. */
  rank(reading: Reading, prior: (row: IntentRow) => number): Ranked[];
  /** Whether many of the examples have the word, so that it says little. */
  isCommon(stem: string): boolean;
  /** Whether an example has the word. */
  isKnown(stem: string): boolean;
  /** The language of a text, or "other"; `expected` wins unless the text speaks against it. */
  languageOf(text: string, expected: Language): Language | "other";
}

/** Learns from the examples of all languages at once: names and numbers are common to them. */
export function learnIntents({
  examples = readExamples(),
  texts = [],
}: {
  examples?: readonly ExampleSentence[];
  /** Texts of the shop, from which the languages are learnt as well. */
  texts?: readonly Pick<ExampleSentence, "language" | "text">[];
} = {}): IntentModel {
  const sentences = examples.flatMap(({ language, intent, text }) => {
    const known = languages.find((each) => each === language);
    return known ? [{ reading: readText(text, known, () => true), label: intents.indexOf(intent) }] : [];
  });
  const models = [wordFeatures, letterFeatures].map((featuresOf) => ({
    featuresOf,
    probabilities: learn(
      sentences.map(({ reading, label }) => ({ features: hashed(featuresOf(reading)), label })),
      intents.length,
    ),
  }));
  const counts = new Map<string, number>();
  for (const { reading } of sentences)
    for (const stem of new Set(reading.tokens.map((token) => token.stem)))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const tongues: readonly (Language | "other")[] = [...languages, "other"];
  const tongueOf = learn(
    [...examples, ...texts].map(({ language, text }) => ({
      features: hashed(trigrams(text)),
      label: tongues.indexOf(language === "other" ? language : languageOfLocale(language)),
    })),
    tongues.length,
  );
  return {
    rank(reading, prior) {
      const [words, letters] = models.map(({ featuresOf, probabilities }) =>
        probabilities(hashed(featuresOf(reading))),
      );
      const powers = intents.map(
        (intent, label) =>
          (prior(rows[intent] ?? {}) * ((words?.[label] ?? 0) + (letters?.[label] ?? 0))) ** sharpness,
      );
      const total = powers.reduce((one, other) => one + other, 0) || 1;
      const shares = new Map<string, number>();
      powers.forEach((power, label) => {
        const answer = answers[label] ?? "";
        shares.set(answer, (shares.get(answer) ?? 0) + power / total);
      });
      return [...intents.keys()]
        .sort((a, b) => (powers[b] ?? 0) - (powers[a] ?? 0))
        .slice(0, 5)
        .map((label) => ({
          intent: intents[label] ?? "",
          row: rows[intents[label] ?? ""] ?? {},
          confidence: shares.get(answers[label] ?? "") ?? 0,
        }));
    },
    isCommon: (stem) => (counts.get(stem) ?? 0) > sentences.length * common,
    isKnown: (stem) => counts.has(stem),
    languageOf(text, expected) {
      const features = hashed(trigrams(text));
      const words = tokenise(text, "en").filter(({ word }) => !/\p{N}/u.test(word)).length;
      const probabilities = tongueOf(features);
      const likely = tongues.map((tongue, label) => ({
        tongue,
        // A word or two are little evidence against the language so far.
        weight: (probabilities[label] ?? 0) * (tongue === expected ? 1 + 300 / Math.max(1, words) ** 2 : 1),
      }));
      return likely.reduce((one, other) => (other.weight > one.weight ? other : one)).tongue;
    },
  };
}

function* trigrams(text: string): Iterable<string> {
  for (const { word } of tokenise(text, "en").slice(0, 60)) {
    const padded = ` ${word} `;
    yield padded;
    for (let at = 0; at + 3 <= padded.length; at += 1) yield padded.slice(at, at + 3);
    for (const letter of word) if (letter > "ɏ") yield letter;
  }
}
