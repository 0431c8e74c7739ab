import { splitSentences } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import type { CatalogueItem } from "./catalogue.ts";
import { isProductSort } from "./find-products.ts";
import type { Shop } from "./shop.ts";
import sorts from "./sorts.json" with { type: "json" };

/** Up to two rows of the catalogue's tables, or its sentences, that answer a question about a product. */
export function detailsOf(item: CatalogueItem, question: Reading, { read, intents }: Shop) {
  const { specs, description } = item.product;
  const terms = questionTerms(item, question, intents.isCommon);
  if (terms.size === 0) return [];
  const scored = [
    ...specs.map((row) => ({ text: `${row.label}: ${row.value}.`, row, score: 0.1 })),
    ...description
      .flatMap((text) => splitSentences(text, "en"))
      .map((text) => ({ text, row: null, score: 0 })),
  ].map((detail) => {
    const own = new Set(read(detail.text, "en").terms);
    for (const [term, weight] of terms) if (own.has(term)) detail.score += weight;
    return detail;
  });
  const best = Math.max(0.9, ...scored.map(({ score }) => score));
  return scored
    .sort((a, b) => b.score - a.score)
    .filter(({ score }) => score >= best * 0.9)
    .slice(0, 2);
}

/** The part of the question about a detail: not the name, kind, colour, size, price or stock. */
function questionTerms(
  { kinds }: CatalogueItem,
  { mentions, tokens }: Reading,
  isCommon: (stem: string) => boolean,
): Map<string, number> {
  const terms = new Map<string, number>();
  for (const { type, key } of mentions) {
    if (type === "detail") terms.set(`#detail ${key}`, 1.5);
    if (type === "good" && !kinds.has(key)) terms.set(`#good ${key}`, 1);
    if (isProductSort(key)) for (const detail of sorts[key].details) terms.set(`#detail ${detail}`, 1);
  }
  const isNamed = (index: number) => mentions.some(({ start, end }) => start <= index && index < end);
  for (const [index, { stem }] of tokens.entries())
    if (!isNamed(index) && !isCommon(stem)) terms.set(stem, 0.9);
  return terms;
}
