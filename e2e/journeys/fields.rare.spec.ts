/**
 * Shows every variant of the fields of messages, forms and chats on screen. `field-variants.ts` reads the
 * variants from the contract; a test fails with the names of the variants that it has not seen. The gallery
 * shows those of cards, offers and files.
 */
import type { SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import type { Message } from "#lib/chat-api/message.ts";
import { everyCard } from "../../scripts/demo-seed/cards-chat.ts";
import type { Seed } from "../../scripts/demo-seed/seed.ts";
import { plant } from "../../scripts/demo-seed/seeds.ts";
import {
  answersKept,
  failedHandoff,
  formInProgress,
  formRefused,
  fromElsewhere,
  resolved,
  waiting,
  withTeam,
} from "../../scripts/demo-seed/written-chats.ts";
import type { ScriptedReply } from "../../testing/lab/lab-client.ts";
import { closedUntil } from "../contract/support/hours.ts";
import { VariantCoverage } from "../support/field-variants.ts";
import { signIn } from "../support/sign-in.ts";
import { seeChat } from "./fields/chats.ts";
import { cardOf, seeForm } from "./fields/forms.ts";
import { seeMessage } from "./fields/messages.ts";
import { textOf } from "./fields/page.ts";
import { shopForm } from "./remedies/forms.ts";
import {
  changeUnnoticed,
  expect,
  newKey,
  openChat,
  paths,
  type RemedyFixtures,
  test,
} from "./remedies/remedy-test.ts";

/** Signs in as the seed's customer and opens its chat. */
async function visit({ page, chat, lab, environment }: RemedyFixtures, seed: Seed): Promise<void> {
  await plant(seed, { lab, now: await lab.now(), shopOrigin: environment.shopUrl });
  await signIn(page, seed.customerId ?? null, environment.shopUrl);
  await page.goto(`${environment.shopUrl}/?chat=${seed.id}`);
  await expect(chat.rows.first()).toBeVisible();
  // Cards, forms and files load on use, and the assertions do not wait for them.
  await page.waitForLoadState("networkidle");
}

async function messagesOf({ client }: RemedyFixtures, chatId: string): Promise<Message[]> {
  return (await client.listMessages(chatId, { limit: 50 })).items;
}

test("shows every variant of a message", { tag: "@ours" }, async ({ fixtures }) => {
  const { chat, client, lab } = fixtures;
  const seen = new VariantCoverage("Message");
  const see = async (chatId: string) => {
    const messages = await messagesOf(fixtures, chatId);
    for (const [index, message] of messages.entries()) {
      await seeMessage(seen, fixtures, message, index === messages.length - 1);
    }
  };
  for (const seed of [everyCard, withTeam, fromElsewhere, formInProgress]) {
    await visit(fixtures, seed);
    if (seed === formInProgress) await expect(chat.panel.getByRole("region", { name: "Form" })).toBeVisible();
    await see(seed.id);
  }
  const chatId = await openChat(fixtures);
  const bytes = new Blob(["Serial number 4711"], { type: "text/plain" });
  const upload = { bytes, filename: "note.txt", mediaType: "text/plain" };
  const { item: file } = await client.uploadFile(chatId, upload, { idempotencyKey: newKey() });
  await lab.reply({ text: "Shall I pass you on?", handoffOffer: true }, chatId);
  const body = { text: "The serial number", fileIds: [file.id] };
  await client.sendMessage(chatId, body, { idempotencyKey: newKey() });
  await fixtures.page.reload();
  await expect(chat.panel.getByRole("region", { name: "Talk to the team" })).toBeVisible();
  await expect(chat.panel.getByRole("button", { name: /^note\.txt .* Download$/ })).toBeVisible();
  await see(chatId);
  seen.expectAll();
});

/** Variants of a form that the screen never shows, with the reason. */
const variantsNotShown = {
  "CollectionRequest.collectionId: given": "an identifier for programs",
  "CollectionRequest.fields: none": "a form has at least one field",
  "CollectionValue.updatedAt: given": "the answer is shown without its time",
};

test("shows every variant of a form", { tag: "@ours" }, async ({ fixtures }) => {
  const { chat, client, lab, page } = fixtures;
  const seen = new VariantCoverage("Collection", "CollectionRequest", "CollectionValue", "Field");
  const card = cardOf(fixtures);
  const send = card.getByRole("button", { name: "Send answers" });
  await lab.setHours(null);

  // A chat without a form.
  const empty = await openChat(fixtures);
  const nothing = await client.getCollection(empty);
  const isBare = (await card.count()) === 0;
  seen.see("Collection.fields", nothing.fields, isBare);
  seen.see("Collection.values", nothing.values, isBare);
  await visit(fixtures, answersKept);
  const kept = await client.getCollection(answersKept.id);
  seen.see("Collection.request", kept.request, (await card.count()) === 0);

  // An open form with answers of every status, from the customer and the team.
  await visit(fixtures, formInProgress);
  await expect(card.getByLabel("What should we look at?")).toBeVisible();
  const open = await client.getCollection(formInProgress.id);
  await seeForm(seen, fixtures, open);
  seen.see("Collection.values", open.values, (await card.innerHTML()).includes("Fell 2, rear hub"));
  seen.see("Collection.pendingAction", open.pendingAction, !(await textOf(card)).includes("The team needs"));
  seen.see("Collection.error", open.error, (await card.getByRole("alert").count()) === 0);

  // Each missing answer is marked at its field, and the submission names the form and its version.
  await send.click();
  await expect(card).toContainText("Please check");
  seen.see("Collection.missing", open.missing, (await card.getByText("Please fill this in.").count()) > 0);
  seen.see("CollectionRequest.complete", open.request?.complete, await send.isVisible());
  await card.getByLabel("Your email address").fill("maya.okafor@example.com");
  await card.getByLabel("Which day?").selectOption("fri");
  const submission = page.waitForRequest(
    (request) => paths.collection.test(request.url()) && request.method() === "POST",
  );
  await send.click();
  const body = JSON.parse((await submission).postData() ?? "");
  seen.see("Collection.version", open.version, body.expectedVersion === open.version);
  seen.see("CollectionRequest.id", open.request?.id, body.collectionRequestId === open.request?.id);
  await expect(card).toContainText("Sent. Thank you.");

  // The customer answers one question on another device, then a teammate answers both.
  const shared = await openChat(fixtures, { collection: { fields: [], form: shopForm } });
  await card.getByLabel("Kelderby").check();
  await card.getByLabel("What for?").fill("Brakes");
  const before = await client.getCollection(shared);
  const otherShop: SubmitCollectionBody = {
    collectionRequestId: before.request?.id ?? null,
    expectedVersion: before.version,
    action: "save",
    values: new Map([["shop", "brackwater"]]),
  };
  const press = () => send.click();
  await changeUnnoticed(
    fixtures,
    () => client.submitCollection(shared, otherShop, { idempotencyKey: newKey() }),
    press,
  );
  const elsewhere = card.getByText("This was changed elsewhere to “Brackwater”");
  await expect(elsewhere).toBeVisible();
  seen.see("CollectionValue.actor", "visitor", await elsewhere.isVisible());
  await changeUnnoticed(
    fixtures,
    () =>
      lab.editDetails(shared, [
        { fieldId: "shop", value: "brackwater", status: "accepted" },
        { fieldId: "item", value: "Gears", status: "accepted" },
      ]),
    press,
  );
  const byTeam = card.getByText("The team changed this to “Gears”");
  await expect(byTeam).toBeVisible();
  seen.see("CollectionValue.actor", "teammate", await byTeam.isVisible());
  // The team has completed the form, which is still open: the customer can send it unchanged.
  const complete = await client.getCollection(shared);
  await send.click();
  await expect(card).toContainText("Sent. Thank you.");
  seen.see("CollectionRequest.complete", complete.request?.complete, !(await send.isVisible()));
  seen.see("Collection.missing", complete.missing, (await card.getByText("Please fill").count()) === 0);

  // A form that was refused with a reason, and that can be skipped but not cancelled.
  await visit(fixtures, formRefused);
  await expect(card.getByLabel("Kelderby")).toBeVisible();
  const collection = await client.getCollection(formRefused.id);
  await seeForm(seen, fixtures, collection);
  seen.see(
    "Collection.error",
    collection.error,
    (await textOf(card)).includes(collection.error ?? "no reason"),
  );

  // A form that the team requires before the handoff.
  const forTeam = await openChat(fixtures);
  await offer(fixtures, forTeam, { details: shopForm });
  await chat.panel.getByRole("button", { name: "Talk to the team" }).click();
  const isForTeam = card.getByText("The team needs this before it takes over.");
  await expect(isForTeam).toBeVisible();
  const { pendingAction } = await client.getCollection(forTeam);
  seen.see("Collection.pendingAction", pendingAction, await isForTeam.isVisible());
  seen.expectAll(variantsNotShown);
});

/** Scripts the agent's offer and waits until the page shows it. */
async function offer(
  { chat, client, lab, page }: RemedyFixtures,
  chatId: string,
  handoffOffer: NonNullable<ScriptedReply["handoffOffer"]> = true,
): Promise<void> {
  await lab.reply({ text: "Shall I pass you on?", handoffOffer }, chatId);
  await client.sendMessage(chatId, { text: "A person, please" }, { idempotencyKey: newKey() });
  await page.reload();
  await expect(chat.panel.getByRole("region", { name: "Talk to the team" })).toBeVisible();
}

test("shows every variant of a chat", { tag: "@ours" }, async ({ fixtures }) => {
  const { chat, client, lab } = fixtures;
  const seen = new VariantCoverage("Chat", "Handoff");
  // While the team is there, the screen says "shortly" instead of how it replies.
  await lab.setHours(closedUntil(await lab.now()).hours);
  for (const seed of [everyCard, withTeam, resolved, failedHandoff, waiting, fromElsewhere]) {
    await visit(fixtures, seed);
    await seeChat(seen, fixtures, await client.getChat(seed.id));
  }
  await lab.setHours(null);
  const now = (await lab.now()).toISOString();
  const waitsHere = await openChat(fixtures, {
    mode: "waiting",
    handoff: { status: "waiting", requestedAt: now, requiresEmail: false },
  });
  await seeChat(seen, fixtures, await client.getChat(waitsHere));

  await lab.setHours(closedUntil(await lab.now()).hours);
  const waitsLong = await openChat(fixtures);
  await offer(fixtures, waitsLong);
  const card = chat.panel.getByRole("region", { name: "Talk to the team" });
  await card.getByLabel("Your email address").fill("maya.okafor@example.com");
  await card.getByRole("button", { name: "Talk to the team" }).click();
  await expect(chat.panel).toContainText("Waiting since");
  await seeChat(seen, fixtures, await client.getChat(waitsLong));
  seen.expectAll({
    "Chat.channelKey: given": "only the BFF needs it",
    "Chat.userId: given": "only the BFF needs it",
    "Chat.createdAt: given": "shown as the first message's time",
    "Chat.updatedAt: given": "shown as the last message's time",
  });
});
