/** Remedies for errors of forms and handoffs. */

import type { Locator } from "@playwright/test";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { Form } from "../../../channel/lab/lab-client.ts";
import {
  changeUnnoticed,
  expect,
  expectNote,
  intercept,
  type Journey,
  newKey,
  openChat,
  paths,
  type RemedyFixtures,
} from "./remedy-test.ts";

const shop = aField({
  id: "shop",
  label: "Which shop?",
  type: "choice",
  choices: [
    { id: "kelderby", label: "Kelderby" },
    { id: "brackwater", label: "Brackwater" },
  ],
});
const item = aField({ id: "item", label: "What for?" });

/** A form with two required fields. */
const shopForm: Form = {
  collectionId: "booking",
  purpose: "So that we keep a place for you.",
  fields: [
    { field: item, required: true },
    { field: shop, required: true },
  ],
};

const typed = "Fell 2, rear hub";

/** Opens a chat whose form is filled in but not sent. */
async function fillIn(fixtures: RemedyFixtures): Promise<{ chatId: string; card: Locator }> {
  const chatId = await openChat(fixtures, { collection: { fields: [], form: shopForm } });
  const card = fixtures.chat.panel.getByRole("region", { name: "Form" });
  await card.getByLabel("What for?").fill(typed);
  await card.getByLabel("Kelderby").check();
  return { chatId, card };
}

async function expectSaved(
  { client }: RemedyFixtures,
  chatId: string,
  answers: Record<string, string>,
): Promise<void> {
  await expect
    .poll(async () => {
      const { values } = await client.getCollection(chatId);
      return Object.fromEntries(values.map(({ fieldId, value }) => [fieldId, value]));
    })
    .toEqual(answers);
}

/** Replaces an answer by a choice that is not offered. */
export const invalidSubmission: Journey = async (fixtures) => {
  const { chatId, card } = await fillIn(fixtures);
  await intercept(fixtures, "POST", paths.collection, (route, request) =>
    route.continue({ postData: (request.postData() ?? "").replace('"kelderby"', '"nowhere"') }),
  );
  await card.getByRole("button", { name: "Send answers" }).click();
  // The card shows only the channel's own sentence.
  await expect(card.getByRole("alert")).toHaveText(/must be one of the options/);
  const { error } = await fixtures.client.getCollection(chatId);
  await expect(card).toContainText(error ?? "no reason was stored");
  await expect(card.locator("[data-code]")).toHaveCount(0);
  await expect(card.getByLabel("What for?")).toHaveValue(typed);
  await card.getByRole("button", { name: "Send answers" }).click();
  await expectSaved(fixtures, chatId, { item: typed, shop: "kelderby" });
};

/** A teammate corrects an answer while the customer fills in the form. */
export const versionConflict: Journey = async (fixtures) => {
  const { chatId, card } = await fillIn(fixtures);
  await changeUnnoticed(
    fixtures,
    () => fixtures.lab.editDetails(chatId, [{ fieldId: "shop", value: "brackwater", status: "accepted" }]),
    () => card.getByRole("button", { name: "Send answers" }).click(),
  );
  const note = await expectNote(fixtures, "version_conflict", /form has changed/i);
  await expect(card.getByLabel("What for?")).toHaveValue(typed);
  await expect(card).toContainText("The team changed this to “Brackwater”");
  await note.getByRole("button", { name: "Check the form" }).click();
  await card.getByRole("button", { name: "Use this answer" }).click();
  await card.getByRole("button", { name: "Send answers" }).click();
  await expectSaved(fixtures, chatId, { item: typed, shop: "brackwater" });
};

async function offered(fixtures: RemedyFixtures, details?: Form): Promise<{ chatId: string; card: Locator }> {
  const { chat, client, lab } = fixtures;
  const chatId = await openChat(fixtures);
  await lab.setHours(null);
  await lab.reply(
    { text: "Shall I pass you on?", handoffOffer: details === undefined ? true : { details } },
    chatId,
  );
  await client.sendMessage(chatId, { text: "A person, please" }, { idempotencyKey: newKey() });
  await fixtures.page.reload();
  const card = chat.panel.getByRole("region", { name: "Talk to the team" });
  await expect(card).toBeVisible();
  return { chatId, card };
}

/** Another device got a newer offer, so the offer on screen is out of date. */
export const confirmationRequired: Journey = async (fixtures) => {
  const { chat, client, lab } = fixtures;
  const { chatId, card } = await offered(fixtures);
  await lab.reply({ text: "I offer it again.", handoffOffer: true }, chatId);
  await changeUnnoticed(
    fixtures,
    () => client.sendMessage(chatId, { text: "Really?" }, { idempotencyKey: newKey() }),
    () => card.getByRole("button", { name: "Talk to the team" }).click(),
  );
  await expect(chat.lastReply()).toContainText("I offer it again.");
  const latest = chat.lastReply().getByRole("region", { name: "Talk to the team" });
  await latest.getByRole("button", { name: "Talk to the team" }).click();
  await expect(chat.panel).toContainText("Waiting since");
};

/** A teammate joined and left, which ends every offer, so the customer asks the agent again. */
export const confirmationRequiredWithoutOffer: Journey = async (fixtures) => {
  const { chat, lab } = fixtures;
  const { chatId, card } = await offered(fixtures);
  await changeUnnoticed(
    fixtures,
    async () => {
      await lab.claim(chatId, "Zoë");
      await lab.release(chatId);
    },
    () => card.getByRole("button", { name: "Talk to the team" }).click(),
  );
  const note = await expectNote(fixtures, "confirmation_required", /no longer valid/i);
  await lab.reply({ text: "Of course.", handoffOffer: true }, chatId);
  await note.getByRole("button", { name: "Ask for a person again" }).click();
  await expect(chat.messages("visitor").last()).toContainText("I would like to speak to a person.");
  await chat.settled();
  await chat.lastReply().getByRole("button", { name: "Talk to the team" }).click();
  await expect(chat.panel).toContainText("Waiting since");
};

/** The team requires details first: its form opens, and submitting it completes the handoff. */
export const collectionIncomplete: Journey = async (fixtures) => {
  const { chat } = fixtures;
  const { card } = await offered(fixtures, shopForm);
  await card.getByRole("button", { name: "Talk to the team" }).click();
  const details = chat.panel.getByRole("region", { name: "Form" });
  await expect(details).toContainText("The team needs this before it takes over.");
  await details.getByRole("button", { name: "Send to the team" }).click();
  await expect(details).toContainText("Please fill this in.");
  await details.getByLabel("What for?").fill(typed);
  await details.getByLabel("Kelderby").check();
  await details.getByRole("button", { name: "Send to the team" }).click();
  await expect(chat.panel).toContainText("Waiting since");
};
