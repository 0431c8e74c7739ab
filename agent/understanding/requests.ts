/** The requests that a message can make. Earlier messages complete them. */

import type { ProductQuery } from "../knowledge/find-products.ts";
import type { Concept } from "../language/concept-lexicon.ts";
import type { Reading } from "../language/reading.ts";

export type ProductAspect = "price" | "stock" | "colour" | "size" | "store" | "detail";

export interface ProductRequest {
  act: "products";
  /** A list to choose from, facts about some products, or a comparison. */
  mode: "list" | "facts" | "compare";
  query: ProductQuery;
  aspects: ReadonlySet<ProductAspect>;
  /** Products that were shown before and must not be shown again. */
  except: ReadonlySet<string>;
  reading: Reading;
}

export interface HelpRequest {
  act: "help";
  question: string;
  /** Concepts that the question omits because they were mentioned before. */
  carried: readonly Concept[];
  /** The requested extent: one fact, an overview, or everything. */
  extent: "fact" | "overview" | "everything";
  reading: Reading;
}

export interface HoursRequest {
  act: "hours";
  /** Store IDs; empty means all. */
  stores: readonly string[];
  /** 0 is Monday. Without `weekday` and `moment`, the whole week is meant. */
  weekday?: number;
  /** A time that depends on the clock. */
  moment?: "now" | "today" | "tomorrow";
  wants: "hours" | "contact";
}

export interface OrdersRequest {
  act: "orders";
  references: readonly string[];
  /** An order identified by a kind of product: "my helmet". */
  kinds: readonly Concept[];
  workshop: boolean;
  all: boolean;
}

export type FormName = "return-request" | "workshop-booking" | "feedback" | "bike-fitting";

export type ShopRequest =
  | ProductRequest
  | HelpRequest
  | HoursRequest
  | OrdersRequest
  | { act: "order-topic" }
  | { act: "form"; form: FormName }
  | { act: "person" }
  | { act: "upset" }
  | { act: "size-question" };

export const talkKinds = [
  "long-answer",
  "slow-answer",
  "think-minute",
  "ask-me",
  "say-nothing",
  "who-are-you",
  "how-are-you",
  "capabilities",
  "joke",
  "insult",
  "goodbye",
  "thanks",
  "praise",
  "greeting",
  "laugh",
  "yes",
  "no",
] as const;
export type TalkKind = (typeof talkKinds)[number];

export interface Understanding {
  requests: readonly ShopRequest[];
  /** Small talk in the message, the most important first. */
  talk: readonly TalkKind[];
  /** Whether the customer is angry, whatever else is asked. */
  isUpset: boolean;
  /** Important words that were not understood. */
  unknown: readonly string[];
}
