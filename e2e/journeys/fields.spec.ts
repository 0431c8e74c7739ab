/**
 * Shows every variant of every field of the Chat API's resources on screen. `field-variants.ts` reads the
 * variants from the contract; a test fails with the names of the variants that it has not seen.
 */
import type { Locator } from "@playwright/test";
import type { SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { HandoffOffer, Message } from "#lib/chat-api/message.ts";
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
import { png } from "../support/attachments.ts";
import { type ResourceName, resourceNames, VariantCoverage } from "../support/field-variants.ts";
import { bodyOf } from "../support/sent-body.ts";
import { signIn } from "../support/sign-in.ts";
import { seeCitations, seeOrders, seeProducts } from "./fields/cards.ts";
import { farZone, seeChat } from "./fields/chats.ts";
import { cardOf, seeForm } from "./fields/forms.ts";
import { rowOf, seeMessage } from "./fields/messages.ts";
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

/** The resources that each test covers. Together they are all of the contract's. */
const resourcesByTest = {
  cards: ["Citation", "Product", "Price", "Order", "OrderItem"],
  messages: ["Message"],
  forms: ["Collection", "CollectionRequest", "CollectionValue", "Field"],
  offers: ["HandoffOffer"],
  files: ["File"],
  chats: ["Chat", "Handoff"],
} as const satisfies Record<string, readonly ResourceName[]>;

// Each test visits several chats.
test.describe.configure({ timeout: 120_000 });

test("covers every resource of the contract", () => {
  expect(Object.values(resourcesByTest).flat().sort()).toEqual([...resourceNames].sort());
});

/** Signs in as the seed's customer and opens its chat. */
async function visit({ page, chat, lab, client, environment }: RemedyFixtures, seed: Seed): Promise<void> {
  await plant(seed, { lab, client, now: await lab.now(), shopOrigin: environment.shopUrl });
  await signIn(page, seed.customerId ?? null, environment.shopUrl);
  await page.goto(`${environment.shopUrl}/?chat=${seed.id}`);
  await expect(chat.rows.first()).toBeVisible();
  // Cards, forms and files load on use, and the assertions do not wait for them.
  await page.waitForLoadState("networkidle");
}

async function messagesOf({ client }: RemedyFixtures, chatId: string): Promise<Message[]> {
  return (await client.listMessages(chatId, { limit: 50 })).items;
}

test("shows every variant of a card", { tag: ["@ours", "@viewports"] }, async ({ fixtures }) => {
  const seen = new VariantCoverage(...resourcesByTest.cards);
  await visit(fixtures, everyCard);
  for (const message of await messagesOf(fixtures, everyCard.id)) {
    const row = rowOf(fixtures, message);
    await seeCitations(seen, row, message.citations);
    await seeProducts(seen, row, message.products);
    await seeOrders(seen, row, message.orders);
  }
  seen.expectAll();
});

test("shows every variant of a message", { tag: ["@ours", "@viewports"] }, async ({ fixtures }) => {
  const { chat, client, lab } = fixtures;
  const seen = new VariantCoverage(...resourcesByTest.messages);
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

test("shows every variant of a form", { tag: ["@ours", "@viewports"] }, async ({ fixtures }) => {
  const { chat, client, lab, page } = fixtures;
  const seen = new VariantCoverage(...resourcesByTest.forms);
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
  await expect(card.getByLabel("What shall we look at?")).toBeVisible();
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
  const refused = await client.getCollection(formRefused.id);
  await seeForm(seen, fixtures, refused);
  seen.see("Collection.error", refused.error, (await textOf(card)).includes(refused.error ?? "no reason"));

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
): Promise<HandoffOffer> {
  await lab.reply({ text: "Shall I pass you on?", handoffOffer }, chatId);
  const body = { text: "A person, please" };
  const { item } = await client.sendMessage(chatId, body, { idempotencyKey: newKey() });
  await page.reload();
  await expect(chat.panel.getByRole("region", { name: "Talk to the team" })).toBeVisible();
  if (item.reply === null || item.reply.handoffOffer === null) throw new Error("No offer was made");
  return item.reply.handoffOffer;
}

const everyDay = (period: readonly [string, string]) =>
  Object.fromEntries(["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((weekday) => [weekday, [period]]));

const alwaysOpen = { timeZone: farZone, weekly: everyDay(["00:00", "24:00"]) };

/** Open for one hour a day, twelve hours away from `now`. */
function closedAt(now: Date): object {
  const hours = String((now.getUTCHours() + 9 + 12) % 24).padStart(2, "0");
  return { timeZone: farZone, weekly: everyDay([`${hours}:00`, `${hours}:59`]) };
}

test("shows every variant of an offer", { tag: ["@ours", "@viewports"] }, async ({ fixtures }) => {
  const { chat, lab, page } = fixtures;
  const seen = new VariantCoverage(...resourcesByTest.offers);
  const card = chat.panel.getByRole("region", { name: "Talk to the team" });
  for (const hours of [null, alwaysOpen, closedAt(await lab.now())]) {
    await lab.setHours(hours);
    const chatId = await openChat(fixtures);
    const offered = await offer(fixtures, chatId);
    const { requiresEmail, nextAvailableAt, timezone, confirmationId } = offered;
    const says = await textOf(card);
    seen.seeEach("HandoffOffer", offered, {
      requiresEmail: says.includes("Your e-mail address") === requiresEmail,
      nextAvailableAt: says.includes("from") === (nextAvailableAt !== null),
      timezone: says.includes("as soon as someone is free") === (timezone === null),
    });
    if (nextAvailableAt !== null) expect(says).toContain("your time");
    if (requiresEmail) {
      const email = card.getByLabel("Your e-mail address");
      await email.fill("maya.okafor@example.com");
      await page.reload();
      await expect(email).toHaveValue("maya.okafor@example.com");
    }
    const accepted = page.waitForRequest(/\/handoff$/);
    await card.getByRole("button", { name: "Talk to the team" }).click();
    const body = JSON.parse(bodyOf(await accepted) ?? "");
    seen.see("HandoffOffer.confirmationId", confirmationId, body.confirmationId === confirmationId);
    await expect(chat.panel).toContainText("Waiting since");
  }
  seen.expectAll();
});

test("shows every variant of a file", { tag: ["@ours", "@viewports"] }, async ({ fixtures }) => {
  const { chat, page } = fixtures;
  const seen = new VariantCoverage(...resourcesByTest.files);
  await openChat(fixtures);
  const chips = chat.panel.getByRole("list", { name: "Attached files" });
  const see = async (file: File, element: Locator) => {
    const says = await textOf(element);
    const { filename, byteSize } = file;
    seen.seeEach("File", file, {
      filename: says.includes(filename),
      byteSize: says.includes(`${byteSize} `),
    });
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
  const [note, picture] = (await messagesOf(fixtures, stored[0]?.chatId ?? "")).flatMap(({ files }) => files);
  if (note === undefined || picture === undefined) throw new Error("The files were not sent");
  const link = message.getByRole("button", { name: /^note\.txt .* Download$/ });
  await expect(link).toBeVisible();
  await see(note, link);
  seen.see("File.mediaType", note.mediaType, (await textOf(link)).includes("TXT"));
  const address =
    (await message.getByRole("button", { name: "Open dot.png" }).locator("img").getAttribute("src")) ?? "";
  seen.seeEach("File", picture, {
    mediaType: address !== "",
    id: address.includes(picture.id),
    chatId: address.includes(picture.chatId),
    expiresAt: (await chips.count()) === 0,
  });
  seen.expectAll({ "File.createdAt: given": "shown as the message's time" });
});

test("shows every variant of a chat", { tag: ["@ours", "@viewports"] }, async ({ fixtures }) => {
  const { chat, client, lab } = fixtures;
  const seen = new VariantCoverage(...resourcesByTest.chats);
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

  await lab.setHours(closedAt(await lab.now()));
  const waitsLong = await openChat(fixtures);
  await offer(fixtures, waitsLong);
  const card = chat.panel.getByRole("region", { name: "Talk to the team" });
  await card.getByLabel("Your e-mail address").fill("maya.okafor@example.com");
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
