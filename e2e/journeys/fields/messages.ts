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
  const { role, createdAt, author } = message;
  const isNamed = author !== null && author.name !== "" && shown.text.includes(author.name);
  seen.seeEach("Message", message, {
    id: (await row.count()) === 1,
    chatId: (await rememberedChats(fixtures.page)).includes(message.chatId),
    role: shown.role === (role === "system" ? null : role),
    text: shown.text.includes(message.text),
    // A group of messages names its author once, at its beginning.
    ...(createdAt === null || shown.time !== null ? { createdAt: shown.time === createdAt } : {}),
    ...(shown.startsGroup || author === null ? { author: author === null || isNamed } : {}),
    files: shown.files === message.files.length,
    citations: shown.sources === Math.sign(message.citations.length),
    products: shown.products === message.products.length,
    orders: shown.orders === message.orders.length,
    ...(message.choices.length === 0 || isLast ? { choices: shown.choices === message.choices.length } : {}),
    collection: shown.forms === (message.collection === null ? 0 : 1),
    handoffOffer: shown.offers === (message.handoffOffer === null ? 0 : 1),
  });
  if (isNamed) seen.see("Message.author.name", author.name, true);
}
