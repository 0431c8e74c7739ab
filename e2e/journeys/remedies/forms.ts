/** Codes of forms and of the request to the team. */
import type { Locator } from "@playwright/test";
import type { Field } from "#lib/chat-api/collection.ts";
import type { Form } from "../../support/channel-hands.ts";
import { bodyOf } from "../../support/sent-body.ts";
import {
  expect,
  expectNote,
  intercept,
  type Journey,
  newKey,
  openChat,
  paths,
  type Stage,
  unnoticed,
} from "./stage.ts";

const shop: Field = {
  id: "shop",
  label: "Which shop?",
  description: "",
  type: "choice",
  choices: [
    { id: "kelderby", label: "Kelderby" },
    { id: "brackwater", label: "Brackwater" },
  ],
};
const item: Field = { id: "item", label: "What for?", description: "", type: "text", choices: [] };

/** Of two details that must be given. */
export const shopForm: Form = {
  collectionId: "booking",
  purpose: "So that we keep a place for you.",
  fields: [
    { field: item, required: true },
    { field: shop, required: true },
  ],
};

const typed = "Fell 2, rear hub";

/** A chat whose form is filled in and not sent yet. */
async function fillIn(stage: Stage): Promise<{ chatId: string; card: Locator }> {
  const chatId = await openChat(stage, { collection: { fields: [], form: shopForm } });
  const card = stage.chat.panel.getByRole("region", { name: "Form" });
  await card.getByLabel("What for?").fill(typed);
  await card.getByLabel("Kelderby").check();
  return { chatId, card };
}

async function expectSaved(
  { client }: Stage,
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

/** An answer is damaged on its way to one that is not offered. */
export const invalidSubmission: Journey = async (stage) => {
  const { chatId, card } = await fillIn(stage);
  await intercept(stage, "POST", paths.collection, (route, request) =>
    route.continue({ postData: (bodyOf(request) ?? "").replace('"kelderby"', '"nowhere"') }),
  );
  await card.getByRole("button", { name: "Send", exact: true }).click();
  const note = await expectNote(stage, "invalid_submission", /answers were not accepted/i);
  const { error } = await stage.client.getCollection(chatId);
  await expect(card).toContainText(error ?? "no reason was stored");
  await expect(card.getByLabel("What for?")).toHaveValue(typed);
  await note.getByRole("button", { name: "Check the form" }).click();
  await expect(card.getByLabel("What for?")).toBeFocused();
  await card.getByRole("button", { name: "Send", exact: true }).click();
  await expectSaved(stage, chatId, { item: typed, shop: "kelderby" });
};

/** A teammate corrects an answer while the customer fills in the form. */
export const versionConflict: Journey = async (stage) => {
  const { chatId, card } = await fillIn(stage);
  await unnoticed(
    stage,
    () => stage.lab.editDetails(chatId, [{ fieldId: "shop", value: "brackwater", status: "accepted" }]),
    () => card.getByRole("button", { name: "Send", exact: true }).click(),
  );
  const note = await expectNote(stage, "version_conflict", /changed meanwhile/i);
  await expect(card.getByLabel("What for?")).toHaveValue(typed);
  await expect(card).toContainText("The team changed this to “Brackwater”");
  await note.getByRole("button", { name: "Check the form" }).click();
  await card.getByRole("button", { name: "Use it" }).click();
  await card.getByRole("button", { name: "Send", exact: true }).click();
  await expectSaved(stage, chatId, { item: typed, shop: "brackwater" });
};

async function offered(stage: Stage, details?: Form): Promise<{ chatId: string; card: Locator }> {
  const { chat, client, lab } = stage;
  const chatId = await openChat(stage);
  await lab.setHours(null);
  await lab.reply(
    { text: "Shall I pass you on?", handoffOffer: details === undefined ? true : { details } },
    chatId,
  );
  await client.sendMessage(chatId, { text: "A person, please" }, { idempotencyKey: newKey() });
  await stage.page.reload();
  const card = chat.panel.getByRole("region", { name: "Talk to a person" });
  await expect(card).toBeVisible();
  return { chatId, card };
}

/** Another device has made the agent offer it once more: the offer on screen is out of date. */
export const confirmationRequired: Journey = async (stage) => {
  const { chat, client, lab } = stage;
  const { chatId, card } = await offered(stage);
  await lab.reply({ text: "I offer it again.", handoffOffer: true }, chatId);
  await unnoticed(
    stage,
    () => client.sendMessage(chatId, { text: "Really?" }, { idempotencyKey: newKey() }),
    () => card.getByRole("button", { name: "Pass me to the team" }).click(),
  );
  await expect(chat.lastReply()).toContainText("I offer it again.");
  const latest = chat.lastReply().getByRole("region", { name: "Talk to a person" });
  await latest.getByRole("button", { name: "Pass me to the team" }).click();
  await expect(chat.panel).toContainText("Passed on to the team.");
};

/** A teammate came and went, which makes every offer a thing of the past: the agent is asked again. */
export const confirmationRequiredWithoutOffer: Journey = async (stage) => {
  const { chat, lab } = stage;
  const { chatId, card } = await offered(stage);
  await unnoticed(
    stage,
    async () => {
      await lab.claim(chatId, "Zoë");
      await lab.release(chatId);
    },
    () => card.getByRole("button", { name: "Pass me to the team" }).click(),
  );
  const note = await expectNote(stage, "confirmation_required", /no longer valid/i);
  await lab.reply({ text: "Of course.", handoffOffer: true }, chatId);
  await note.getByRole("button", { name: "Ask again for a person" }).click();
  await expect(chat.messages("visitor").last()).toContainText("I would like to speak to a person.");
  await chat.settled();
  await chat.lastReply().getByRole("button", { name: "Pass me to the team" }).click();
  await expect(chat.panel).toContainText("Passed on to the team.");
};

/** The team wants to know more first: its form opens, and filling it in passes the chat on. */
export const collectionIncomplete: Journey = async (stage) => {
  const { chat } = stage;
  const { card } = await offered(stage, shopForm);
  await card.getByRole("button", { name: "Pass me to the team" }).click();
  const details = chat.panel.getByRole("region", { name: "Form" });
  await expect(details).toContainText("The team needs this before it takes over.");
  await details.getByRole("button", { name: "Send", exact: true }).click();
  await expect(details).toContainText("Please fill this in.");
  await details.getByLabel("What for?").fill(typed);
  await details.getByLabel("Kelderby").check();
  await details.getByRole("button", { name: "Send", exact: true }).click();
  await expect(chat.panel).toContainText("Passed on to the team.");
};
