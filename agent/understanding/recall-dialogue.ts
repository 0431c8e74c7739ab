import type { Message } from "#lib/chat-api/message.ts";
import type { Shop } from "../knowledge/shop.ts";
import { detectLanguage } from "../language/detect-language.ts";
import type { Language } from "../language/languages.ts";
import { isFailure } from "../replies/by-language.ts";
import type { Dialogue } from "./dialogue.ts";
import { understand } from "./understand.ts";

/** Number of latest messages that are read: references such as "that one" go back no further. */
const remembered = 16;

/** Reads the chat so far. `language` is that of the chat's locale. */
export function recallDialogue(history: readonly Message[], language: Language, shop: Shop): Dialogue {
  let dialogue: Dialogue = { last: null, shown: [], seen: new Set(), offered: false, failures: 0, language };
  for (const message of history.slice(-remembered)) {
    if (message.role === "visitor") dialogue = afterCustomer(dialogue, message, shop);
    else if (message.role === "agent") dialogue = afterAgent(dialogue, message, shop);
  }
  return dialogue;
}

function afterCustomer(dialogue: Dialogue, message: Message, shop: Shop): Dialogue {
  const language = detectLanguage(message.text, dialogue.language);
  const { requests } = understand(message.text, { dialogue: { ...dialogue, language }, shop });
  const last = requests.at(-1) ?? dialogue.last;
  const continued = last?.act === "products" && last.except.size > 0;
  return { ...dialogue, language, last, seen: continued ? dialogue.seen : new Set() };
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
