import { type Concept, conceptsOf } from "../language/concept-lexicon.ts";
import { functionWords } from "../language/function-words.ts";
import type { Reading } from "../language/reading.ts";
import type { WeightedTerms } from "./help-index.ts";
import { conceptTerm } from "./search-terms.ts";

/** A kind of fact that a question asks for; sentences that state such a fact score higher. */
export type Aspect = "price" | "duration" | "time" | "contact";

/** A question, as the help index searches for it. */
export interface HelpQuery {
  terms: WeightedTerms;
  aspects: ReadonlySet<Aspect>;
  /** Number of meaningful words that are not in the shop's vocabulary. */
  unknownWords: number;
  /** Body or head measurements that the customer gave, in centimetres. */
  lengthsCm: readonly number[];
}

/** `carried`: concepts from earlier messages that the question leaves out. */
export function helpQueryOf(reading: Reading, carried: readonly Concept[] = []): HelpQuery {
  const terms = new Map<string, number>();
  const add = (term: string, weight: number) => {
    if (weight > 0) terms.set(term, Math.max(terms.get(term) ?? 0, weight));
  };
  for (const { concept, weight } of reading.mentions) {
    if (weight >= meant) add(conceptTerm(concept), weight * weightOf(concept));
  }
  for (const concept of carried) add(conceptTerm(concept), 0.7 * weightOf(concept));
  reading.tokens.forEach((token, index) => {
    if (reading.language === "ja" && !reading.unknown.includes(token)) return;
    if (
      token.word.length < 2 ||
      functionWords[reading.language].has(token.word) ||
      /^\p{N}/u.test(token.word)
    )
      return;
    const covering = reading.mentions.filter(({ start, end }) => start <= index && index < end);
    if (covering.some(({ concept }) => conceptsOf.talk.has(concept))) return;
    add(token.stem, covering.length > 0 ? 0.3 : 0.4);
  });
  const lengthsCm = lengthsIn(reading.text);
  if (lengthsCm.length > 0) add(conceptTerm("measure"), 1);
  return { terms, aspects: aspectsOf(reading), unknownWords: reading.unknown.length, lengthsCm };
}

/**
 * Minimum weight of a mention that counts: a word inside a longer phrase ("gift" in "gift card") has less.
 */
const meant = 0.5;

/** The lengths in a text, in centimetres: "172 cm", "1.80 m", "1m65", "57cm". */
export function lengthsIn(text: string): number[] {
  const plain = text.normalize("NFKC");
  const metres = Array.from(plain.matchAll(/\b([12])\s?(?:[.,]|m)\s?(\d{2})\s?m?\b/giu), ([, m, cm]) =>
    Number(`${m}${cm}`),
  );
  const centimetres = Array.from(plain.matchAll(/(\d{2,3})\s?(?:cm|センチ|سم)/giu), ([, cm]) => Number(cm));
  return [...metres, ...centimetres];
}

function weightOf(concept: Concept): number {
  if (conceptsOf.places.has(concept)) return 1.3;
  if (concept === "where") return 0;
  if (concept === "shop" || concept === "ridden" || concept === "order-arrival") return 0.5;
  if (concept === "how") return 0.35;
  if (concept === "how-long" || concept === "deadline") return 0.5;
  if (faintConcepts.has(concept)) return 0.25;
  if (conceptsOf.talk.has(concept)) return 0;
  if (concept.startsWith("colour-")) return 0.2;
  if (conceptsOf.attributes.has(concept)) return 0.6;
  return conceptsOf.things.has(concept) ? 0.75 : 1.15;
}

/** Concepts that many pages mention, so that they hardly distinguish passages. */
export const faintConcepts: ReadonlySet<Concept> = new Set<Concept>([
  "price",
  "person",
  "talk",
  "free",
  "how-long",
  "when",
  "order",
  "track",
  "address",
  "open",
  "today",
  "now",
]);

function aspectsOf(reading: Reading): Set<Aspect> {
  const aspects = new Set<Aspect>();
  if (reading.has("price") || reading.has("free") || reading.has("expensive")) aspects.add("price");
  if (reading.has("how-long") || reading.has("deadline") || reading.has("order-arrival"))
    aspects.add("duration");
  if (reading.has("when") || reading.has("open") || reading.has("closed")) aspects.add("time");
  if (reading.has("phone") || reading.has("email") || reading.has("address")) aspects.add("contact");
  return aspects;
}
