import { type Concept, conceptsOf } from "../language/concept-lexicon.ts";
import type { Reading } from "../language/reading.ts";

/** Topics so common in the help pages that they hardly distinguish one page from another. */
export const faintTopics: ReadonlySet<Concept> = new Set<Concept>([
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

/** How much a text is about the help pages' topics: 1 per topic, less for common topics. */
export function topicWeight(reading: Reading): number {
  let total = 0;
  for (const concept of new Set(reading.mentions.map((mention) => mention.concept))) {
    if (!conceptsOf.shop.has(concept) && !conceptsOf.workshop.has(concept)) continue;
    total += reading.has(concept) * (faintTopics.has(concept) ? 0.35 : 1);
  }
  return total;
}

/**
 * Families of topics, of which a follow-up question replaces one by another: "how much is bronze?", "and
 * silver?".
 */
const families: readonly ReadonlySet<Concept>[] = [
  new Set<Concept>(["bronze", "silver", "gold"]),
  new Set<Concept>(["gears", "brakes", "chain", "puncture", "wheel-truing"]),
  new Set<Concept>(["wallet", "payment-card", "cash", "bank-transfer", "instalments", "finance"]),
];

/** True when topics belong to the same family as earlier ones. */
export function isVariant(topics: readonly Concept[], earlier: readonly Concept[]): boolean {
  return topics.some((topic) =>
    families.some((family) => family.has(topic) && earlier.some((other) => family.has(other))),
  );
}

/** The members of one family that a text names together ("bronze or silver"); empty for fewer than two. */
export function namedVariants({ mentions }: Reading): Concept[] {
  const named = new Set(mentions.filter(({ weight }) => weight >= 0.8).map(({ concept }) => concept));
  const members = families.map((family) => [...named].filter((concept) => family.has(concept)));
  return members.find((each) => each.length > 1) ?? [];
}
