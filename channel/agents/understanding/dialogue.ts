import type { CatalogueItem } from "../knowledge/catalogue.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Language } from "../language/languages.ts";
import type { ShopRequest } from "./requests.ts";

/** What a message can refer back to. */
export interface Dialogue {
  /** The latest request that was about the shop. */
  last: ShopRequest | null;
  /** The products that the agent showed last. */
  shown: readonly CatalogueItem[];
  /** All products shown since the customer last asked for something new. */
  seen: ReadonlySet<string>;
  /** Whether the agent's last message offered the team. */
  offered: boolean;
  /** How many of the agent's last messages, in a row, were of no help. */
  failures: number;
  /** The customer's. */
  language: Language;
}

/** What a message is understood with. */
export interface UnderstandingContext {
  dialogue: Dialogue;
  shop: Shop;
}
