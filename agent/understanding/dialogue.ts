/** The subjects of the last turns, and the wishes of a message. */
import type { CatalogueItem } from "../knowledge/catalogue.ts";
import type { ProductQuery } from "../knowledge/find-products.ts";
import type { Language } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import type { IntentRow, Ranked } from "../learning/intents.ts";

export type ProductAspect = "price" | "money" | "stock" | "colour" | "size" | "store" | "detail";

export interface ProductWish {
  /** How to answer: by a list, facts, a comparison, or a question about the ride or the product meant. */
  mode: "list" | "facts" | "compare" | "advice" | "none" | "which";
  query: ProductQuery;
  aspects: ReadonlySet<ProductAspect>;
  /** Products that were shown before and must not be shown again. */
  except: ReadonlySet<string>;
}

export interface Wish {
  intent: string;
  row: IntentRow;
  reading: Reading;
  /** The earlier message that the wish leaves something out of. */
  before: Reading | null;
  /** The one product that the conversation is about. */
  about: CatalogueItem | null;
  products: ProductWish | null;
}

export interface Dialogue {
  /** The latest wish that was about the shop. */
  last: Wish | null;
  /** The products that the agent showed last. */
  shown: readonly CatalogueItem[];
  /** The products shown beside them before: "the other one". */
  beside: readonly CatalogueItem[];
  /** IDs of all products shown since the customer last asked for something new. */
  seen: ReadonlySet<string>;
  /** The criteria of the latest product search: a follow-up narrows them. */
  search: ProductQuery;
  /** The subject of an earlier part of the message. */
  topic: Ranked | null;
  language: Language;
}

/** The dialogue after a wish: small talk leaves it as it was. */
export function afterWish(dialogue: Dialogue, wish: Wish): Dialogue {
  // "What about locks?" after an unanswered question does not repeat the one before it.
  if (wish.row.unknown) return { ...dialogue, last: null };
  if (wish.row.talk !== undefined || wish.row.ask !== undefined || wish.row.offer) return dialogue;
  const { products } = wish;
  if (!products) return { ...dialogue, last: wish };
  return {
    ...dialogue,
    last: wish,
    search: products.query.ids ? dialogue.search : products.query,
    seen: products.except.size > 0 ? dialogue.seen : new Set(),
  };
}
