/** Reads the chat's messages again: the agent keeps no state between turns. */
import type { Message } from "#lib/chat-api/message.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Language } from "../language/languages.ts";
import { afterWish, type Dialogue } from "./dialogue.ts";
import { understand } from "./understand.ts";

/** Number of latest messages that are read: references such as "that one" go back no further. */
const remembered = 16;

/** Reads the chat so far. `language` is that of the chat's locale. */
export function recallDialogue(history: readonly Message[], language: Language, shop: Shop): Dialogue {
  const shown = { shown: [], beside: [], seen: new Set<string>(), search: {} };
  let dialogue: Dialogue = { last: null, topic: null, ...shown, language };
  for (const message of history.slice(-remembered)) {
    if (message.role === "visitor") dialogue = afterCustomer(dialogue, message.text, shop);
    else if (message.role === "agent") dialogue = afterAgent(dialogue, message, shop);
  }
  return dialogue;
}

function afterCustomer(before: Dialogue, text: string, shop: Shop): Dialogue {
  const tongue = shop.languageOf(text, before.language);
  const dialogue = { ...before, language: tongue === "other" ? before.language : tongue };
  const { wishes, unsure } = understand(text, dialogue, shop);
  return [...wishes, ...unsure.slice(0, 1)].reduce(afterWish, dialogue);
}

function afterAgent(dialogue: Dialogue, message: Message, shop: Shop): Dialogue {
  const ids = message.products.map((product) => product.id);
  const shown = ids.flatMap((id) => shop.catalogue.find((item) => item.product.id === id) ?? []);
  const beside = [...dialogue.beside, ...dialogue.shown];
  const isNew = shown.length > 0 && !shown.every((item) => beside.includes(item));
  return {
    ...dialogue,
    shown: shown.length > 0 ? shown : dialogue.shown,
    beside: isNew ? [] : [...new Set(beside)],
    seen: new Set([...dialogue.seen, ...ids]),
  };
}
