import type { Reading } from "../language/reading.ts";
import type { CatalogueItem } from "./catalogue.ts";
import { termsOf } from "./search-terms.ts";
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
export function detailsOf(
  item: CatalogueItem,
  reading: Reading,
  isCommon: (stem: string) => boolean,
): Detail[] {
  const terms = questionTerms(item, reading, isCommon);
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
function questionTerms(
  item: CatalogueItem,
  reading: Reading,
  isCommon: (stem: string) => boolean,
): Map<string, number> {
  const terms = new Map<string, number>();
  const covered = new Set<number>();
  for (const { type, key, start, end } of reading.mentions) {
    for (let index = start; index < end; index += 1) covered.add(index);
    if (type === "detail") terms.set(`#detail ${key}`, 1.5);
    if (type === "good" && !item.kinds.has(key)) terms.set(`#good ${key}`, 1);
    if (type === "mark" && key === "stock" && item.product.inStock !== true) terms.set("#mark stock", 1);
    for (const detail of type === "measure" ? (measured[key] ?? []) : []) terms.set(`#detail ${detail}`, 1);
  }
  if (reading.language === "en")
    reading.tokens.forEach(({ stem, word }, index) => {
      if (!covered.has(index) && word.length > 2 && word !== item.name && !isCommon(stem))
        terms.set(stem, 0.9);
    });
  return terms;
}

/** Which property each comparison is about. */
const measured: Readonly<Record<string, readonly string[]>> = {
  lightest: ["weight"],
  heaviest: ["weight"],
  brightest: ["lumens"],
  largest: ["volume", "load"],
};
