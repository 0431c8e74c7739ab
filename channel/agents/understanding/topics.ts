import { type Concept, conceptsOf } from "../language/concept-lexicon.ts";
import type { Reading } from "../language/reading.ts";

/** Words that occur on all help pages tell little of which one is meant. */
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

/** How much a text speaks of what help pages are about: 1 for each topic, less for those that all pages speak of. */
export function topicWeight(reading: Reading): number {
  let total = 0;
  for (const concept of new Set(reading.mentions.map((mention) => mention.concept))) {
    if (!conceptsOf.shop.has(concept) && !conceptsOf.workshop.has(concept)) continue;
    total += reading.has(concept) * (faintTopics.has(concept) ? 0.35 : 1);
  }
  return total;
}

/** Topics of which one takes the other's place in a question: "how much is bronze?", "and silver?" */
const families: readonly ReadonlySet<Concept>[] = [
  new Set<Concept>(["bronze", "silver", "gold"]),
  new Set<Concept>(["gears", "brakes", "chain", "puncture", "wheel-truing"]),
  new Set<Concept>(["wallet", "payment-card", "cash", "bank-transfer", "instalments", "finance"]),
];

/** True when topics are of one family with earlier ones. */
export function isVariant(topics: readonly Concept[], earlier: readonly Concept[]): boolean {
  return topics.some((topic) =>
    families.some((family) => family.has(topic) && earlier.some((other) => family.has(other))),
  );
}

/** The members of one family that a text names side by side ("bronze or silver"); empty when it names fewer than two. */
export function namedVariants({ mentions }: Reading): Concept[] {
  const named = new Set(mentions.filter(({ weight }) => weight >= 0.8).map(({ concept }) => concept));
  const members = families.map((family) => [...named].filter((concept) => family.has(concept)));
  return members.find((each) => each.length > 1) ?? [];
}
