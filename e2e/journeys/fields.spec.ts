/**
 * Every field of the Chat API's resources, in each of its forms, on screen. The list of the forms is read from the
 * contract (`field-forms.ts`); a form that no journey here has shown fails its test, with its name.
 */
import type { Locator } from "@playwright/test";
import type { SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { HandoffOffer, Message } from "#lib/chat-api/message.ts";
import { everyCard } from "../../scripts/demo-seed/cards-chat.ts";
import { answersKept, formInProgress, formRefused } from "../../scripts/demo-seed/form-chats.ts";
import { fromElsewhere } from "../../scripts/demo-seed/history-chats.ts";
import type { Seed } from "../../scripts/demo-seed/seed.ts";
import { plant } from "../../scripts/demo-seed/seeds.ts";
import { failedHandoff, resolved, waiting, withTeam } from "../../scripts/demo-seed/team-chats.ts";
import { png } from "../contract/support/samples.ts";
import type { ScriptedReply } from "../support/channel-hands.ts";
import { type ResourceName, resourceNames, Sightings } from "../support/field-forms.ts";
import { bodyOf } from "../support/sent-body.ts";
import { signIn } from "../support/sign-in.ts";
import { seeCitations, seeOrders, seeProducts } from "./fields/cards.ts";
import { farZone, seeChat } from "./fields/chats.ts";
import { cardOf, seeForm } from "./fields/forms.ts";
import { rowOf, seeMessage } from "./fields/messages.ts";
import { textOf } from "./fields/page.ts";
import { shopForm } from "./remedies/forms.ts";
import { expect, newKey, openChat, paths, type Stage, test, unnoticed } from "./remedies/stage.ts";

/** Who shows what: all of the contract's resources have to be here. */
const resourcesByTest = {
  cards: ["Citation", "Product", "Price", "Order", "OrderItem"],
  messages: ["Message"],
  forms: ["Collection", "CollectionRequest", "CollectionValue", "Field"],
  offers: ["HandoffOffer"],
  files: ["File"],
  chats: ["Chat", "Handoff"],
} as const satisfies Record<string, readonly ResourceName[]>;

// Each visits several chats.
test.describe.configure({ timeout: 120_000 });

test("every resource of the contract is looked at", () => {
  expect(Object.values(resourcesByTest).flat().sort()).toEqual([...resourceNames].sort());
});

/** Signs in as the seed's customer and opens its chat. */
async function visit({ page, chat, lab, client, world }: Stage, seed: Seed): Promise<void> {
  await plant(seed, { lab, client, now: await lab.now(), shopOrigin: world.shopUrl });
  await signIn(page, seed.customerId ?? null, world.shopUrl);
  await page.goto(`${world.shopUrl}/?chat=${seed.id}`);
  await expect(chat.rows.first()).toBeVisible();
  // Cards, forms and files load on use: what is looked at in the next moment must be there.
  await page.waitForLoadState("networkidle");
}

async function messagesOf({ client }: Stage, chatId: string): Promise<Message[]> {
  return (await client.listMessages(chatId, { limit: 50 })).items;
}

test("every form of cards is seen", { tag: "@ours" }, async ({ stage }) => {
  const seen = new Sightings(...resourcesByTest.cards);
  await visit(stage, everyCard);
  for (const message of await messagesOf(stage, everyCard.id)) {
    const row = rowOf(stage, message);
    await seeCitations(seen, row, message.citations);
    await seeProducts(seen, row, message.products);
    await seeOrders(seen, row, message.orders);
  }
  seen.expectAll();
});

test("every form of messages is seen", { tag: "@ours" }, async ({ stage }) => {
  const { chat, client, lab } = stage;
  const seen = new Sightings(...resourcesByTest.messages);
  const see = async (chatId: string) => {
    const messages = await messagesOf(stage, chatId);
    for (const [index, message] of messages.entries()) {
      await seeMessage(seen, stage, message, index === messages.length - 1);
    }
  };
  for (const seed of [everyCard, withTeam, fromElsewhere, formInProgress]) {
    await visit(stage, seed);
    if (seed === formInProgress) await expect(chat.panel.getByRole("region", { name: "Form" })).toBeVisible();
    await see(seed.id);
  }
  const chatId = await openChat(stage);
  const bytes = new Blob(["Serial number 4711"], { type: "text/plain" });
  const upload = { bytes, filename: "note.txt", mediaType: "text/plain" };
  const { item: file } = await client.uploadFile(chatId, upload, { idempotencyKey: newKey() });
  await lab.reply({ text: "Shall I pass you on?", handoffOffer: true }, chatId);
  const body = { text: "The serial number", fileIds: [file.id] };
  await client.sendMessage(chatId, body, { idempotencyKey: newKey() });
  await stage.page.reload();
  await expect(chat.panel.getByRole("region", { name: "Talk to a person" })).toBeVisible();
  await expect(chat.panel.getByRole("button", { name: /^note\.txt .* Download$/ })).toBeVisible();
  await see(chatId);
  seen.expectAll();
});

/** What only programs need of a form. */
const formsNotShown = {
  "CollectionRequest.collectionId: given": "names the form for programs",
  "CollectionRequest.fields: none": "a form asks for something",
  "CollectionValue.updatedAt: given": "the answer counts, not its hour",
};

test("every form of forms is seen", { tag: "@ours" }, async ({ stage }) => {
  const { chat, client, lab, page } = stage;
  const seen = new Sightings(...resourcesByTest.forms);
  const card = cardOf(stage);
  const send = card.getByRole("button", { name: "Send", exact: true });
  await lab.setHours(null);

  // Without a form nothing is asked.
  const empty = await openChat(stage);
  const nothing = await client.getCollection(empty);
  const isBare = (await card.count()) === 0;
  seen.see("Collection.fields", nothing.fields, isBare);
  seen.see("Collection.values", nothing.values, isBare);
  await visit(stage, answersKept);
  const kept = await client.getCollection(answersKept.id);
  seen.see("Collection.request", kept.request, (await card.count()) === 0);

  // Open, with answers of every status and of both sides.
  await visit(stage, formInProgress);
  await expect(card.getByLabel("What shall we look at?")).toBeVisible();
  const open = await client.getCollection(formInProgress.id);
  await seeForm(seen, stage, open);
  seen.see("Collection.values", open.values, (await card.innerHTML()).includes("Fell 2, rear hub"));
  seen.see("Collection.pendingAction", open.pendingAction, !(await textOf(card)).includes("The team needs"));
  seen.see("Collection.error", open.error, (await card.getByRole("alert").count()) === 0);

  // What is missing is said at its field, and what is sent names the form and its version.
  await send.click();
  await expect(card).toContainText("Please check");
  seen.see("Collection.missing", open.missing, (await card.getByText("Please fill this in.").count()) > 0);
  seen.see("CollectionRequest.complete", open.request?.complete, await send.isVisible());
  await card.getByLabel("Your e-mail address").fill("maya.okafor@example.com");
  await card.getByLabel("Which day?").selectOption("fri");
  const sent = page.waitForRequest(
    (request) => paths.collection.test(request.url()) && request.method() === "POST",
  );
  await send.click();
  const body = JSON.parse(bodyOf(await sent) ?? "");
  seen.see("Collection.version", open.version, body.expectedVersion === open.version);
  seen.see("CollectionRequest.id", open.request?.id, body.collectionRequestId === open.request?.id);
  await expect(card).toContainText("Sent. Thank you.");

  // Another device of the customer's answers one question, then a teammate both.
  const shared = await openChat(stage, { collection: { fields: [], form: shopForm } });
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
  await unnoticed(
    stage,
    () => client.submitCollection(shared, otherShop, { idempotencyKey: newKey() }),
    press,
  );
  const elsewhere = card.getByText("This was changed elsewhere to “Brackwater”");
  await expect(elsewhere).toBeVisible();
  seen.see("CollectionValue.actor", "visitor", await elsewhere.isVisible());
  await unnoticed(
    stage,
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
  // Complete, and still open: it can be sent as it is.
  const complete = await client.getCollection(shared);
  await send.click();
  await expect(card).toContainText("Sent. Thank you.");
  seen.see("CollectionRequest.complete", complete.request?.complete, !(await send.isVisible()));
  seen.see("Collection.missing", complete.missing, (await card.getByText("Please fill").count()) === 0);

  // Refused: why, and a form that may be skipped and not cancelled.
  await visit(stage, formRefused);
  await expect(card.getByLabel("Kelderby")).toBeVisible();
  const refused = await client.getCollection(formRefused.id);
  await seeForm(seen, stage, refused);
  seen.see("Collection.error", refused.error, (await textOf(card)).includes(refused.error ?? "no reason"));

  // For the team.
  const forTeam = await openChat(stage);
  await offer(stage, forTeam, { details: shopForm });
  await chat.panel.getByRole("button", { name: "Pass me to the team" }).click();
  const isForTeam = card.getByText("The team needs this before it takes over.");
  await expect(isForTeam).toBeVisible();
  const { pendingAction } = await client.getCollection(forTeam);
  seen.see("Collection.pendingAction", pendingAction, await isForTeam.isVisible());
  seen.expectAll(formsNotShown);
});

/** The agent offers the team, and the customer's page shows it. */
async function offer(
  { chat, client, lab, page }: Stage,
  chatId: string,
  handoffOffer: NonNullable<ScriptedReply["handoffOffer"]> = true,
): Promise<HandoffOffer> {
  await lab.reply({ text: "Shall I pass you on?", handoffOffer }, chatId);
  const body = { text: "A person, please" };
  const { item } = await client.sendMessage(chatId, body, { idempotencyKey: newKey() });
  await page.reload();
  await expect(chat.panel.getByRole("region", { name: "Talk to a person" })).toBeVisible();
  if (item.reply === null || item.reply.handoffOffer === null) throw new Error("No offer was made");
  return item.reply.handoffOffer;
}

const everyDay = (period: readonly [string, string]) =>
  Object.fromEntries(["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((weekday) => [weekday, [period]]));

const alwaysOpen = { timeZone: farZone, weekly: everyDay(["00:00", "24:00"]) };

/** Open for an hour of each day that is half a day away from `now`. */
function closedAt(now: Date): object {
  const hours = String((now.getUTCHours() + 9 + 12) % 24).padStart(2, "0");
  return { timeZone: farZone, weekly: everyDay([`${hours}:00`, `${hours}:59`]) };
}

test("every form of offers is seen", { tag: "@ours" }, async ({ stage }) => {
  const { chat, lab, page } = stage;
  const seen = new Sightings(...resourcesByTest.offers);
  const card = chat.panel.getByRole("region", { name: "Talk to a person" });
  for (const hours of [null, alwaysOpen, closedAt(await lab.now())]) {
    await lab.setHours(hours);
    const chatId = await openChat(stage);
    const { requiresEmail, nextAvailableAt, timezone, confirmationId } = await offer(stage, chatId);
    const says = await textOf(card);
    seen.see(
      "HandoffOffer.requiresEmail",
      requiresEmail,
      says.includes("Your e-mail address") === requiresEmail,
    );
    seen.see(
      "HandoffOffer.nextAvailableAt",
      nextAvailableAt,
      says.includes("back") === (nextAvailableAt !== null),
    );
    const isPlain = says.includes("as soon as someone is free");
    seen.see("HandoffOffer.timezone", timezone, isPlain === (timezone === null));
    if (nextAvailableAt !== null) expect(says).toContain("Tokyo");
    if (requiresEmail) {
      const email = card.getByLabel("Your e-mail address");
      await email.fill("maya.okafor@example.com");
      await page.reload();
      await expect(email).toHaveValue("maya.okafor@example.com");
    }
    const accepted = page.waitForRequest(/\/handoff$/);
    await card.getByRole("button", { name: "Pass me to the team" }).click();
    const body = JSON.parse(bodyOf(await accepted) ?? "");
    seen.see("HandoffOffer.confirmationId", confirmationId, body.confirmationId === confirmationId);
    await expect(chat.panel).toContainText("Passed on to the team.");
  }
  seen.expectAll();
});

test("every form of files is seen", { tag: "@ours" }, async ({ stage }) => {
  const { chat, page } = stage;
  const seen = new Sightings(...resourcesByTest.files);
  await openChat(stage);
  const chips = chat.panel.getByRole("list", { name: "Attached files" });
  const see = async (file: File, place: Locator) => {
    const says = await textOf(place);
    seen.see("File.filename", file.filename, says.includes(file.filename));
    seen.see("File.byteSize", file.byteSize, says.includes(`${file.byteSize} `));
  };
  const stored: File[] = [];
  for (const [name, mimeType, buffer] of [
    ["note.txt", "text/plain", Buffer.from("Serial number 4711")],
    ["dot.png", "image/png", Buffer.from(png)],
  ] as const) {
    const uploaded = page.waitForResponse((response) => response.url().endsWith("/files") && response.ok());
    await chat.panel.locator("input[type=file][multiple]").setInputFiles({ name, mimeType, buffer });
    const { item } = await (await uploaded).json();
    stored.push(item);
    const chip = chips.getByRole("listitem").filter({ hasText: name });
    await expect(chip).toContainText("is attached");
    await see(item, chip);
    const canBeTakenAway = await chip.getByRole("button", { name: `Remove ${name}` }).isVisible();
    seen.see("File.expiresAt", item.expiresAt, canBeTakenAway);
  }
  await chat.send("Both files");
  await chat.settled();
  const message = chat.messages("visitor").last();
  const [note, picture] = (await messagesOf(stage, stored[0]?.chatId ?? "")).flatMap(({ files }) => files);
  if (note === undefined || picture === undefined) throw new Error("The files were not sent");
  const link = message.getByRole("button", { name: /^note\.txt .* Download$/ });
  await expect(link).toBeVisible();
  await see(note, link);
  seen.see("File.mediaType", note.mediaType, (await textOf(link)).includes("TXT"));
  const address =
    (await message.getByRole("button", { name: "Open dot.png" }).locator("img").getAttribute("src")) ?? "";
  seen.see("File.mediaType", picture.mediaType, address !== "");
  seen.see("File.id", picture.id, address.includes(picture.id));
  seen.see("File.chatId", picture.chatId, address.includes(picture.chatId));
  seen.see("File.expiresAt", picture.expiresAt, (await chips.count()) === 0);
  seen.expectAll({ "File.createdAt: given": "the message says when it was sent" });
});

test("every form of chats is seen", { tag: "@ours" }, async ({ stage }) => {
  const { chat, client, lab } = stage;
  const seen = new Sightings(...resourcesByTest.chats);
  for (const seed of [everyCard, withTeam, resolved, failedHandoff, waiting, fromElsewhere]) {
    await visit(stage, seed);
    await seeChat(seen, stage, await client.getChat(seed.id));
  }
  await lab.setHours(null);
  const now = (await lab.now()).toISOString();
  const waitsHere = await openChat(stage, {
    mode: "waiting",
    handoff: { status: "waiting", requestedAt: now, requiresEmail: false },
  });
  await seeChat(seen, stage, await client.getChat(waitsHere));

  await lab.setHours(closedAt(await lab.now()));
  const waitsLong = await openChat(stage);
  await offer(stage, waitsLong);
  const card = chat.panel.getByRole("region", { name: "Talk to a person" });
  await card.getByLabel("Your e-mail address").fill("maya.okafor@example.com");
  await card.getByRole("button", { name: "Pass me to the team" }).click();
  await expect(chat.panel).toContainText("Waiting since");
  await seeChat(seen, stage, await client.getChat(waitsLong));
  seen.expectAll({
    "Chat.channelKey: given": "the shop's server keeps it",
    "Chat.userId: given": "the shop's server keeps it",
    "Chat.createdAt: given": "the first message says it",
    "Chat.updatedAt: given": "the last message says it",
  });
});
