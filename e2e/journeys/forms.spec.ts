import type { Locator, Page } from "@playwright/test";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { Form } from "../../channel/lab/lab-client.ts";
import { returnForm } from "../support/cards.ts";
import { type ChatPage, expect, responseTo, test } from "../support/chat-page.ts";
import { lab, team } from "../support/lab.ts";

/** Lets the agent answer the customer with this form. */
async function askWithForm(chat: ChatPage, collection: Form = returnForm) {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection });
  const reply = await chat.ask("I want to return something");
  return { chatId, reply, card: chat.panel.getByRole("region", { name: "Form" }) };
}

/** Optional text fields. */
const manyFields = (count: number): Form["fields"] =>
  Array.from({ length: count }, (_, index) => ({
    required: false,
    field: aField({ id: `q${index}`, label: `Question ${index}` }),
  }));

test("validates answers, keeps them across a reload and submits them", { tag: "@phone" }, async ({
  chat,
  page,
}) => {
  const { card } = await askWithForm(chat);
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByLabel("Email")).toBeFocused();
  await expect(card.getByText("Please check 2 fields.")).toBeVisible();
  await chat.expectAccessible();

  await card.getByLabel("Email").fill("ana@example");
  await expect(card.getByText("Enter an address such as")).toBeVisible();
  await card.getByLabel("Email").fill("ana@example.com");
  await card.getByLabel("Damaged").check();
  await page.reload();
  await expect(card.getByLabel("Email")).toHaveValue("ana@example.com");
  await expect(card.getByLabel("Damaged")).toBeChecked();

  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByText("Sent. Thank you.")).toBeVisible();
  await expect(card.getByText("Damaged")).toBeVisible();
  await expect(card.getByText("Skipped")).toBeVisible();
});

test("shows a saved form as still open and marks an answer that was not accepted", { tag: "@rare" }, async ({
  chat,
  page,
}) => {
  const { card } = await askWithForm(chat);
  // The channel closes a complete form. The route keeps it open instead, at first with one answer missing.
  let asked: { fields: object[]; request: { id: string } } | null = null;
  let missing = ["reason"];
  let submissions = 0;
  await page.route("**/api/chat/chats/*/collection", async (route) => {
    const body: { expectedVersion: number } | null = JSON.parse(route.request().postData() ?? "null");
    // Not before: the page may read the form at any time.
    if (body !== null && ++submissions === 2) missing = [];
    const isMended = body !== null && missing.length === 0;
    const response = await responseTo(route, {
      headers: { ...route.request().headers(), "sec-fetch-site": "same-origin" },
      ...(isMended ? { postData: { ...body, collectionRequestId: null } } : {}),
    });
    const { item } = await response.json();
    asked ??= { fields: item.fields, request: item.request };
    const values = item.values.filter(({ fieldId }: { fieldId: string }) => !missing.includes(fieldId));
    const request = { ...asked.request, complete: missing.length === 0 };
    await route.fulfill({ response, json: { item: { ...item, ...asked, values, missing, request } } });
  });
  await page.reload();
  await card.getByLabel("Email").fill("ana@example.com");
  await card.getByLabel("Damaged").check();
  await card.getByRole("button", { name: "Send answers" }).click();
  await expect(card.getByText("Saved so far.")).toBeVisible();
  await expect(card.getByText("Please check 1 field.")).toBeVisible();
  // The field is filled in, but the channel did not accept its value.
  await expect(card.getByText("This answer was not accepted.")).toBeVisible();
  await expect(card.getByText("Please fill this in.")).toHaveCount(0);
  await expect(card.getByLabel("Email")).toHaveValue("ana@example.com");
  await expect(card.getByLabel("Damaged")).toBeChecked();
  await chat.expectAccessible();

  await card.getByLabel("Too big").check();
  await expect(card.getByText("Saved so far.")).toBeHidden();
  await card.getByRole("button", { name: "Send answers" }).click();
  const saved = card.getByText("Saved. You can still change your answers.");
  await expect(saved).toBeVisible();
  await expect(card.getByText("Please check")).toBeHidden();

  // The form can also be saved unchanged after a reload.
  await page.reload();
  await expect(card.getByText("This form is complete. You can still change your answers.")).toBeVisible();
  await card.getByRole("button", { name: "Save changes" }).click();
  await expect(saved).toBeVisible();
});

test("clears an optional choice and confirms the cancellation of a form", { tag: "@phone" }, async ({
  chat,
}) => {
  const optional = {
    ...returnForm,
    fields: returnForm.fields.map((entry) => ({ ...entry, required: false })),
  };
  const { card } = await askWithForm(chat, optional);
  await card.getByLabel("Damaged").check();
  await card.getByRole("button", { name: "Clear the choice" }).click();
  await expect(card.getByLabel("Damaged")).not.toBeChecked();
  await expect(card.getByLabel("Too big")).toBeFocused();
  await card.getByLabel("Note").fill("half a thought");
  await card.getByRole("button", { name: "Cancel" }).click();
  // The question replaces the form's own buttons.
  await expect(card.getByRole("button", { name: /Send|Save/ })).toBeHidden();
  await expect(card.getByRole("button", { name: "Keep it" })).toBeFocused();
  await card.getByRole("button", { name: "Keep it" }).click();
  await expect(card.getByLabel("Note")).toHaveValue("half a thought");
  await card.getByRole("button", { name: "Cancel" }).click();
  await card.getByRole("button", { name: "Cancel the form" }).click();
  await expect(card.getByText("You cancelled this form.")).toBeVisible();
});

test("scrolls to the beginning of a form that is taller than the view", { tag: ["@phone", "@rare"] }, async ({
  chat,
}) => {
  const { reply } = await askWithForm(chat, { ...returnForm, fields: manyFields(12) });
  await expect(reply.getByLabel("Question 0")).toBeInViewport();
  await expect(reply.getByText("Please fill this in.")).toBeInViewport();
  await chat.send("Do I need all of it?");
  await expect(chat.messages("visitor").last()).toBeInViewport();
});

test("opens a chat at its end without reopening an answered form", { tag: "@rare" }, async ({
  chat,
  page,
}) => {
  const { chatId, reply } = await askWithForm(chat, { ...returnForm, fields: manyFields(12) });
  await lab.reply(chatId, { text: "We have noted it." });
  await reply.getByLabel("Question 0").fill("Fell 2");
  const send = reply.getByRole("button", { name: "Send" });
  await send.focus();
  // The button moves until the bar above the composer is gone, so an earlier click could miss it.
  await expect(chat.jumpButton).toBeHidden();
  await send.click();
  await expect(chat.messages("agent").getByText("We have noted it.")).toBeAttached();

  // The form's state is unknown until the collection has been read.
  const release = await chat.hold("**/api/chat/chats/*/collection");
  await page.reload();
  await expect(chat.panel.getByText("Loading the form…")).toBeAttached();
  await expect(chat.panel.getByLabel("Question 0")).toHaveCount(0);
  release();
  await expect(chat.panel.getByText("Sent. Thank you.")).toBeAttached();
  await expect(chat.panel.getByLabel("Question 0")).toHaveCount(0);
  await expect(chat.messages("agent").getByText("We have noted it.")).toBeInViewport();
});

test("leaves focus and scroll position to the writer when a new form arrives", {
  tag: ["@phone", "@rare"],
}, async ({ chat }) => {
  const { chatId } = await askWithForm(chat);
  const fields = manyFields(8);
  await lab.reply(chatId, { text: "And this.", collection: { ...returnForm, fields } });
  // The page cannot read the new form's state yet.
  const release = await chat.hold("**/collection");
  await chat.composer.fill("and to have it mended");
  await chat.sendButton.click();
  await chat.composer.focus();
  await expect(chat.lastReply().getByLabel("Question 0")).toBeInViewport();
  await expect(chat.panel.getByText("This form is closed.")).toHaveCount(1);
  await expect(chat.composer).toBeFocused();
  release();
});

test("stays at the end of a chat when a form further up closes", { tag: ["@phone", "@rare"] }, async ({
  chat,
  page,
}) => {
  const { chatId } = await askWithForm(chat);
  const lines = Array.from({ length: 60 }, (_, line) => `Line ${line}`);
  await lab.reply(chatId, { text: lines.join("\n") });
  const end = (await chat.ask("How do I pack it?")).getByRole("time");
  // The answer is read once the list has reached its end; an unread one would open the chat at its beginning.
  await expect(end).toBeInViewport();
  await expect(chat.jumpButton).toBeHidden();
  await page.reload();
  await expect(chat.panel.getByLabel("Too big")).toBeAttached();
  await expect(end).toBeInViewport();

  await chat.composer.focus();
  await team.resolve(chatId);
  // Repeated, because an `online` event starts no poll while another is running, as after the reload.
  const closed = chat.panel.getByText("This form is closed.");
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      return closed.count();
    })
    .toBe(1);
  await expect(end).toBeInViewport();
});

/** Phone, desktop, desktop at 200 % zoom, phone in landscape. */
const windows = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 720, height: 450 },
  { width: 844, height: 390 },
];

/** The whole element is in the viewport, and nothing covers it (WCAG 2.4.11). */
async function expectUncovered(element: Locator): Promise<void> {
  await expect(element).toBeInViewport({ ratio: 1 });
  const covering = () =>
    element.evaluate((target) => {
      const { left, right, top, bottom } = target.getBoundingClientRect();
      const points = [left + 4, (left + right) / 2, right - 4].map((x) => [x, (top + bottom) / 2] as const);
      const hits = points.map(([x, y]) => document.elementFromPoint(x, y));
      return hits.filter((hit) => !target.contains(hit)).map((hit) => hit?.outerHTML.slice(0, 80));
    });
  await expect.poll(covering).toEqual([]);
}

/**
 * Replaces one answer with an invalid one, so that the channel rejects the submission and stores the reason.
 */
async function refuseAnswers(page: Page): Promise<void> {
  await page.route("**/api/chat/chats/*/collection", async (route, request) => {
    if (request.method() !== "POST") return route.fallback();
    await route.continue({ postData: (request.postData() ?? "").replace('"damaged"', '"nowhere"') });
  });
}

/** Fills in the form's required fields. */
async function fillReturnForm(card: Locator): Promise<void> {
  await card.getByLabel("Email").fill("ana@example.com");
  await card.getByLabel("Damaged").check();
}

test("shows at the refused field why it was refused, and focuses it", { tag: "@rare" }, async ({
  chat,
  page,
}) => {
  const { card } = await askWithForm(chat);
  await fillReturnForm(card);
  await refuseAnswers(page);
  const send = card.getByRole("button", { name: /^Send/ });
  for (const size of windows) {
    await test.step(`${size.width} × ${size.height}`, async () => {
      await page.setViewportSize(size);
      const answered = page.waitForResponse((response) => response.url().endsWith("/collection"));
      await send.click();
      await answered;
      const reason = card.getByRole("group", { name: "Reason" });
      await expect(reason.getByRole("alert")).toHaveText("“Reason” must be one of the options.");
      await expect(card.getByRole("alert")).toHaveCount(1);
      await expect(reason.getByLabel("Damaged")).toBeFocused();
      await expectUncovered(reason.getByLabel("Damaged"));
      await expect(card.locator("[aria-invalid=true], [data-code]")).toHaveCount(0);
    });
  }
  await chat.expectAccessible();
});

test("offers to reload a form that could not be read", { tag: "@rare" }, async ({ chat, page }) => {
  const { card } = await askWithForm(chat);
  const seenLoading = Promise.withResolvers<void>();
  await page.route("**/api/chat/chats/*/collection", async (route) => {
    await seenLoading.promise;
    await route.fulfill({
      status: 500,
      json: { error: { code: "internal_error", message: "Broken.", requestId: "req_broken_1" } },
    });
  });
  await page.reload();
  await expect(card.getByText("Loading the form…")).toBeVisible();
  seenLoading.resolve();
  await expect(card.getByText("We can’t load this form right now.")).toBeVisible();
  await expect(card.getByLabel("Email")).toHaveCount(0);
  await chat.expectAccessible();
  await page.unrouteAll();
  await card.getByRole("button", { name: "Try again" }).click();
  await expect(card.getByLabel("Email")).toBeVisible();
});
