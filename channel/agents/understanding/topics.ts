import { type Concept, conceptsOf } from "../language/concept-lexicon.ts";
import type { Reading } from "../language/reading.ts";

/** Words that occur on all help pages tell little of which one is meant. */
const faint: ReadonlySet<Concept> = new Set<Concept>([
  "price",
  "free",
  "order",
  "shop",
  "stock",
  "size",
  "colour",
  "weight",
  "gift",
  "modify",
  "track",
  "order-arrival",
  "fit",
  "person",
  "talk",
  "sale",
  "photo",
  "contact",
]);

/** How much a text speaks of what help pages are about: 1 for each topic, less for those that all pages speak of. */
export function topicWeight(reading: Reading): number {
  let total = 0;
  for (const concept of new Set(reading.mentions.map((mention) => mention.concept))) {
    if (!conceptsOf.shop.has(concept) && !conceptsOf.workshop.has(concept)) continue;
    total += reading.has(concept) * (faint.has(concept) ? 0.35 : 1);
  }
  return total;
}
