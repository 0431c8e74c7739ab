import { type Concept, conceptsOf } from "../language/concept-lexicon.ts";
import { functionWords } from "../language/function-words.ts";
import type { Reading } from "../language/reading.ts";
import type { CatalogueItem } from "./catalogue.ts";
import { conceptTerm, termsOf } from "./search-terms.ts";
import { splitSentences } from "./sentences.ts";

export interface Detail {
  text: string;
  /** The row's parts, if the text is a row of the table. */
  row: { label: string; value: string } | null;
  terms: ReadonlySet<string>;
}

const details = new WeakMap<CatalogueItem, readonly Detail[]>();

/** The catalogue's statements about a product: rows and sentences. */
function detailsIn(item: CatalogueItem): readonly Detail[] {
  const known = details.get(item);
  if (known) return known;
  const { specs, description } = item.product;
  const rows = specs.map(({ label, value }) => ({ text: `${label}: ${value}.`, row: { label, value } }));
  const sentences = description.flatMap((text) =>
    splitSentences(text, "en").map((sentence) => ({ text: sentence, row: null })),
  );
  const all = [...rows, ...sentences].map((detail) => ({
    ...detail,
    terms: new Set(termsOf(detail.text, "en")),
  }));
  details.set(item, all);
  return all;
}

const maxDetails = 2;

/** Up to two rows or sentences that answer a question about a product. */
export function detailsOf(item: CatalogueItem, reading: Reading): Detail[] {
  const terms = questionTerms(item, reading);
  const scored = detailsIn(item)
    .map((detail) => {
      let score = detail.row ? 0.1 : 0;
      for (const [term, weight] of terms) if (detail.terms.has(term)) score += weight;
      return { detail, score };
    })
    .filter(({ score }) => score >= 0.9)
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score >= best * 0.9)
    .slice(0, maxDetails)
    .map(({ detail }) => detail);
}

/** The part of the question about a detail: not the name, kind, colour, size, price or stock. */
function questionTerms(item: CatalogueItem, reading: Reading): Map<string, number> {
  const terms = new Map<string, number>();
  for (const { concept, weight } of reading.mentions) {
    const given = item.kinds.has(concept) || concept.startsWith("colour") || concept.startsWith("size");
    if (given || conceptsOf.talk.has(concept) || said.has(concept)) continue;
    for (const term of [concept, ...(comparatives[concept] ?? [])].map(conceptTerm)) {
      terms.set(term, Math.max(terms.get(term) ?? 0, weight));
    }
  }
  reading.tokens.forEach((token, index) => {
    const covered = reading.mentions.some(({ start, end }) => start <= index && index < end);
    if (
      covered ||
      /^\p{N}/u.test(token.word) ||
      functionWords[reading.language].has(token.word) ||
      item.names.has(token.word)
    )
      return;
    terms.set(token.stem, 1);
  });
  return terms;
}

/** Which property each comparison is about. */
const comparatives: Partial<Record<Concept, readonly Concept[]>> = {
  lightest: ["weight"],
  lightweight: ["weight"],
  brightest: ["lumens"],
};

const said: ReadonlySet<string> = new Set([
  "price",
  "cheap",
  "expensive",
  "cheapest",
  "dearest",
  "sale",
  "free",
  "stock",
  "shop",
]);

/** Whether the catalogue covers every topic of the question for this product. */
export function coversTopics(item: CatalogueItem, { mentions }: Reading): boolean {
  const topics = mentions.filter(
    ({ concept, weight }) =>
      weight >= 0.8 &&
      (conceptsOf.shop.has(concept) || conceptsOf.workshop.has(concept)) &&
      !said.has(concept),
  );
  return (
    topics.length > 0 &&
    topics.every(({ concept }) => detailsIn(item).some((detail) => detail.terms.has(conceptTerm(concept))))
  );
}
