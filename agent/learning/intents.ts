/** The intents of a message: a row of `intents.json` for each that has examples, and how it is recognised. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { byLanguage, languages } from "../language/languages.ts";
import type { Read, Reading } from "../language/reading.ts";
import type { ExampleSentence } from "./examples.ts";
import { type Features, featuresOf } from "./features.ts";
import { learn, probabilities } from "./softmax.ts";

const Row = z.strictObject({
  /** The sections of help pages that can answer it ("returns#gifts"), the usual one first. */
  help: z.array(z.string()).optional(),
  /** The choice among the sections besides their words. */
  by: z.enum(["place", "size", "levels"]).optional(),
  form: z.string().optional(),
  /** Whether it wants an appointment in the workshop if it names a day. */
  bookable: z.literal(true).optional(),
  orders: z.enum(["open", "workshop", "all"]).optional(),
  hours: z.enum(["hours", "contact"]).optional(),
  products: z.string().optional(),
  /** The same as the last wish, for another thing. */
  same: z.literal(true).optional(),
  /** Takes the last wish back: its next likeliest meaning is what is wanted instead. */
  instead: z.literal(true).optional(),
  talk: z.string().optional(),
  /** A question back, for a message that could mean anything. */
  ask: z.string().optional(),
  choices: z.string().optional(),
  offer: z.enum(["asked", "upset", "not_helped"]).optional(),
  unknown: z.literal(true).optional(),
  /** The condition on the dialogue before: products shown, any wish, or none. */
  after: z.enum(["products", "wish", "nothing"]).optional(),
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

/** An intent that something else than the examples shows. */
export function certain(intent: string): Ranked {
  return { intent, row: rows[intent] ?? {}, confidence: 1 };
}

/** The intent that a section of a help page answers, or a whole page: "returns#gifts", "returns". */
export function aboutSection(name: string): Ranked {
  const having = intents.filter((intent) => rows[intent]?.help?.includes(name));
  const intent = having.find((each) => rows[each]?.help?.[0] === name) ?? having[0] ?? name;
  return { intent, row: { help: [name] }, confidence: 1 };
}

/** The answer that intents share: a page, the catalogue, the orders. */
export function answerOf(intent: string): string {
  const row = rows[intent] ?? { help: [intent] };
  const kind = (["products", "orders", "hours", "unknown"] as const).find((each) => row[each] !== undefined);
  return row.help?.[0]?.split("#")[0] ?? kind ?? intent;
}
const answers = intents.map(answerOf);

/** Sharpens the averaged probabilities, which are too modest: fitted on the split by author. */
const sharpness = 1.7;
/** The share of the examples that makes a word common. */
const common = 0.008;

/** Discount for intents with many examples: authors wrote more where there are many ways to say something. */
const evenness = 0.2;

/** How many examples have a word to which misspelt ones are corrected. */
const often = 3;

export type Sentence = ReturnType<typeof readSentences>[number];

export function readSentences(examples: readonly ExampleSentence[], read: Read) {
  return examples.flatMap((example) => {
    const language = languages.find((each) => each === example.language);
    if (language === undefined) return [];
    const reading = read(example.text, language);
    // Nothing is corrected to what an author misspelt on purpose.
    const isSpelt = example.kind !== "misspelt";
    const words = new Set(isSpelt ? reading.tokens.map(({ word }) => word) : []);
    const stems = new Set(reading.tokens.map(({ stem }) => stem));
    return [{ ...example, words, stems, features: featuresOf(reading) }];
  });
}

/**
 * Learns from the examples of all languages at once: names and numbers are common to them. A model of each
 * kind of feature, and how often the examples have a stem.
 */
export function learnIntents(sentences: readonly Sentence[]) {
  const modelOf = (kind: keyof Features) =>
    learn(
      sentences.map(({ intent, features }) => ({ features: features[kind], label: intents.indexOf(intent) })),
      intents.length,
    );
  const words = byLanguage((language) => {
    const own = sentences.filter((sentence) => sentence.language === language);
    const counts = countsOf(own.map((sentence) => sentence.words));
    return [...counts].flatMap(([word, count]) =>
      count >= often && /^\p{L}{3,}$/u.test(word) ? [word] : [],
    );
  });
  const models = { words: modelOf("words"), letters: modelOf("letters") };
  const counts = countsOf(sentences.map(({ intent }) => new Set([intent])));
  const weights = intents.map((intent) => (counts.get(intent) ?? 1) ** -evenness);
  const stems = countsOf(sentences.map((sentence) => sentence.stems));
  return { models, weights, words, stems, sentences: sentences.length };
}

function countsOf(sets: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const set of sets) for (const each of set) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

export function intentsBy({ models, weights, stems, sentences }: ReturnType<typeof learnIntents>) {
  /** Every turn reads the chat's last messages again. */
  const known = new WeakMap<Reading, Float64Array>();
  const meansOf = (reading: Reading) => {
    const features = featuresOf(reading);
    const letters = probabilities(models.letters, features.letters);
    return probabilities(models.words, features.words).map(
      (one, label) => Math.sqrt(one * (letters[label] ?? 0)) * (weights[label] ?? 0),
    );
  };
  return {
    /** The intents of a text, the likeliest first. `prior`: how much the dialogue speaks for the intent. */
    rank(reading: Reading, prior: (row: IntentRow) => number): Ranked[] {
      const means = known.get(reading) ?? meansOf(reading);
      known.set(reading, means);
      const powers = intents.map(
        (intent, label) => (prior(rows[intent] ?? {}) * (means[label] ?? 0)) ** sharpness,
      );
      const total = powers.reduce((sum, power) => sum + power, 0) || 1;
      const shares = new Map<string, number>();
      for (const [label, answer] of answers.entries())
        shares.set(answer, (shares.get(answer) ?? 0) + (powers[label] ?? 0) / total);
      return [...intents.entries()]
        .sort(([a], [b]) => (powers[b] ?? 0) - (powers[a] ?? 0))
        .map(([label, intent]) => ({
          ...certain(intent),
          confidence: shares.get(answers[label] ?? "") ?? 0,
        }));
    },
    /** Whether many of the examples have the word, so that it says little. */
    isCommon: (stem: string) => (stems.get(stem) ?? 0) > sentences * common,
    /** Whether the examples have the word, at least this often. */
    isKnown: (stem: string, times = 1) => (stems.get(stem) ?? 0) >= times,
  };
}
