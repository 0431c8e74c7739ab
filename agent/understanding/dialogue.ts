import type { CatalogueItem } from "../knowledge/catalogue.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Language } from "../language/languages.ts";
import type { ShopRequest } from "./requests.ts";

/** The earlier context that a message can refer to. */
export interface Dialogue {
  /** The latest request that was about the shop. */
  last: ShopRequest | null;
  /** The products that the agent showed last. */
  shown: readonly CatalogueItem[];
  /** IDs of all products shown since the customer last asked for something new. */
  seen: ReadonlySet<string>;
  /** Whether the agent's last message offered the team. */
  offered: boolean;
  /** Number of the agent's latest messages in a row that did not help. */
  failures: number;
  language: Language;
}

export interface UnderstandingContext {
  dialogue: Dialogue;
  shop: Shop;
}
