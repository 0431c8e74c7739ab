/** What the last turns were about, from the chat's messages. */
import type { Message } from "#lib/chat-api/message.ts";
import type { CatalogueItem } from "../knowledge/catalogue.ts";
import type { ProductQuery } from "../knowledge/find-products.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Language } from "../language/languages.ts";
import { isFailure } from "../planner/replies.ts";
import { understand, type Wish } from "./understand.ts";

export interface Dialogue {
  /** The latest wish that was about the shop. */
  last: Wish | null;
  /** The products that the agent showed last. */
  shown: readonly CatalogueItem[];
  /** IDs of all products shown since the customer last asked for something new. */
  seen: ReadonlySet<string>;
  /** The criteria of the latest product search: a follow-up narrows them. */
  search: ProductQuery;
  /** Whether the agent's last message offered the team. */
  offered: boolean;
  /** Number of the agent's latest messages in a row that did not help. */
  failures: number;
  language: Language;
}

/** Number of latest messages that are read: references such as "that one" go back no further. */
const remembered = 16;

/** Reads the chat so far. `language` is that of the chat's locale. */
export function recallDialogue(history: readonly Message[], language: Language, shop: Shop): Dialogue {
  let dialogue: Dialogue = {
    last: null,
    shown: [],
    seen: new Set(),
    search: {},
    offered: false,
    failures: 0,
    language,
  };
  for (const message of history.slice(-remembered)) {
    if (message.role === "visitor") dialogue = afterCustomer(dialogue, message.text, shop);
    else if (message.role === "agent") dialogue = afterAgent(dialogue, message, shop);
  }
  return dialogue;
}

function afterCustomer(before: Dialogue, text: string, shop: Shop): Dialogue {
  const tongue = shop.intents.languageOf(text, before.language);
  const dialogue = { ...before, language: tongue === "other" ? before.language : tongue };
  return understand(text, dialogue, shop).wishes.reduce(afterWish, dialogue);
}

export function afterWish(dialogue: Dialogue, wish: Wish): Dialogue {
  if (wish.row.talk !== undefined || wish.row.unknown || wish.row.offer) return dialogue;
  const { products } = wish;
  if (!products) return { ...dialogue, last: wish };
  return {
    ...dialogue,
    last: wish,
    search: products.query.ids ? dialogue.search : products.query,
    seen: products.except.size > 0 ? dialogue.seen : new Set(),
  };
}

function afterAgent(dialogue: Dialogue, message: Message, shop: Shop): Dialogue {
  const ids = message.products.map((product) => product.id);
  const shown = ids.flatMap((id) => shop.catalogue.find((item) => item.product.id === id) ?? []);
  return {
    ...dialogue,
    shown: shown.length > 0 ? shown : dialogue.shown,
    seen: new Set([...dialogue.seen, ...ids]),
    offered: message.handoffOffer !== null,
    failures: isFailure(message.text) ? dialogue.failures + 1 : 0,
  };
}
