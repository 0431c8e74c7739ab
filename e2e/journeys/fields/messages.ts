/** Checks the screen against a message's own fields. */
import type { Locator } from "@playwright/test";
import type { Message } from "#lib/chat-api/message.ts";
import type { VariantCoverage } from "../../support/field-variants.ts";
import type { RemedyFixtures } from "../remedies/remedy-test.ts";
import { rememberedChats } from "./page.ts";

export function rowOf({ chat }: RemedyFixtures, { id }: Message): Locator {
  return chat.panel.locator(`[data-message-id="${id}"]`);
}

/** Checks a message's own fields and the number of its attachments. */
export async function seeMessage(
  seen: VariantCoverage,
  fixtures: RemedyFixtures,
  message: Message,
  isLast: boolean,
): Promise<void> {
  const row = rowOf(fixtures, message);
  const shown = await row.evaluate((element) => ({
    text: element.textContent ?? "",
    role: element.getAttribute("data-role"),
    time: element.querySelector("time")?.dateTime ?? null,
    startsGroup: element.getAttribute("data-starts") === "true",
    sources: element.querySelectorAll("details > ol").length,
    products: element.querySelectorAll('[aria-label="Products"] > li').length,
    orders: element.querySelectorAll("article[data-kind]").length,
    choices: element.querySelectorAll('[aria-label="Pick a reply"] > li').length,
    files: element.querySelectorAll("[data-file-id]").length,
    forms: element.querySelectorAll('section[aria-label^="Form: "]').length,
    offers: element.querySelectorAll('section[aria-label="Talk to the team"]').length,
  }));
  const isNotice = message.role === "system";
  seen.see("Message.id", message.id, (await row.count()) === 1);
  seen.see("Message.chatId", message.chatId, (await rememberedChats(fixtures.page)).includes(message.chatId));
  seen.see("Message.role", message.role, shown.role === (isNotice ? null : message.role));
  seen.see("Message.text", message.text, shown.text.includes(message.text));
  // A group of messages shows its time once, at its end.
  if (message.createdAt === null || shown.time !== null)
    seen.see("Message.createdAt", message.createdAt, shown.time === message.createdAt);
  const name = message.author?.name ?? "";
  const isNamed = name !== "" && shown.text.includes(name);
  if (shown.startsGroup || message.author === null)
    seen.see("Message.author", message.author, message.author === null || isNamed);
  if (message.author !== null && isNamed) seen.see("Message.author.name", name, true);
  seen.see("Message.files", message.files, shown.files === message.files.length);
  seen.see("Message.citations", message.citations, shown.sources === Math.sign(message.citations.length));
  seen.see("Message.products", message.products, shown.products === message.products.length);
  seen.see("Message.orders", message.orders, shown.orders === message.orders.length);
  if (message.choices.length === 0 || isLast)
    seen.see("Message.choices", message.choices, shown.choices === message.choices.length);
  seen.see("Message.collection", message.collection, shown.forms === (message.collection === null ? 0 : 1));
  seen.see(
    "Message.handoffOffer",
    message.handoffOffer,
    shown.offers === (message.handoffOffer === null ? 0 : 1),
  );
}
