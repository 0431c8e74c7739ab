import type { Form } from "../support/channel-hands.ts";
import { expect, test } from "../support/chat-page.ts";
import { lab, team } from "../support/lab.ts";
import { returnForm } from "../support/return-form.ts";
import { bodyOf, fetchOn } from "../support/sent-body.ts";

/** Of which none must be answered. */
const manyFields = (count: number): Form["fields"] =>
  Array.from({ length: count }, (_, index) => ({
    required: false,
    field: { id: `q${index}`, label: `Question ${index}`, description: "", type: "text", choices: [] },
  }));

test("a form checks its answers, keeps them over a reload, and is sent once", { tag: "@ours" }, async ({
  chat,
  page,
}) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: returnForm });
  await chat.ask("I want to return something");
  const card = chat.panel.getByRole("region", { name: "Form" });
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByLabel("E-mail")).toBeFocused();
  await expect(card.getByText("Please check 2 fields.")).toBeVisible();
  await chat.expectAccessible();

  await card.getByLabel("E-mail").fill("ana@example");
  await expect(card.getByText("Write an address such as")).toBeVisible();
  await card.getByLabel("E-mail").fill("ana@example.com");
  await card.getByLabel("Damaged").check();
  await page.reload();
  await expect(card.getByLabel("E-mail")).toHaveValue("ana@example.com");
  await expect(card.getByLabel("Damaged")).toBeChecked();

  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByText("Sent. Thank you.")).toBeVisible();
  await expect(card.getByText("Damaged")).toBeVisible();
  await expect(card.getByText("Left out")).toBeVisible();
});

test("a form that the channel keeps open says that it was sent, and what is still missing", {
  tag: "@ours",
}, async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: returnForm });
  await chat.ask("I want to return something");
  // When a form closes is the channel's to say: to this page it stays open, at first for another answer.
  let asked: { fields: object[]; request: { id: string } } | null = null;
  let missing = ["reason"];
  await page.route("**/api/chats/*/collection", async (route) => {
    const body: { expectedVersion: number } | null = JSON.parse(bodyOf(route.request()) ?? "null");
    const isMended = body !== null && missing.length === 0;
    const response = await fetchOn(route, {
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
  const card = chat.panel.getByRole("region", { name: "Form" });
  const sent = card.getByText("Sent. Thank you.");
  await card.getByLabel("E-mail").fill("ana@example.com");
  await card.getByLabel("Damaged").check();
  await card.getByRole("button", { name: "Send" }).click();
  await expect(sent).toBeVisible();
  await expect(card.getByText("Please check 1 field.")).toBeVisible();
  await expect(card.getByLabel("E-mail")).toHaveValue("ana@example.com");
  await expect(card.getByLabel("Damaged")).toBeChecked();
  await chat.expectAccessible();

  missing = [];
  await card.getByLabel("Too big").check();
  await expect(sent).toBeHidden();
  await card.getByRole("button", { name: "Send" }).click();
  await expect(sent).toBeVisible();
  await expect(card.getByText("Please check")).toBeHidden();
});

test("version_conflict: the answers stay, and the customer sends them again", { tag: "@ours" }, async ({
  chat,
}) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: returnForm });
  await chat.ask("I want to return something");
  await lab.fault(chatId, { operation: "submitCollection", code: "version_conflict" });
  const card = chat.panel.getByRole("region", { name: "Form" });
  await card.getByLabel("E-mail").fill("ana@example.com");
  await card.getByLabel("Too big").check();
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.locator("[data-code=version_conflict]")).toContainText("Your answers are still there");
  await card.getByRole("button", { name: "Check the form" }).click();
  await expect(card.getByLabel("E-mail")).toBeFocused();
  await expect(card.getByLabel("E-mail")).toHaveValue("ana@example.com");
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByText("Sent. Thank you.")).toBeVisible();
});

test("an optional choice is taken back, and cancelling a form that was begun asks first", {
  tag: "@ours",
}, async ({ chat }) => {
  const chatId = await chat.start();
  const optional = {
    ...returnForm,
    fields: returnForm.fields.map((entry) => ({ ...entry, required: false })),
  };
  await lab.reply(chatId, { text: "Please fill this in.", collection: optional });
  await chat.ask("I want to return something");
  const card = chat.panel.getByRole("region", { name: "Form" });
  await card.getByLabel("Damaged").check();
  await card.getByRole("button", { name: "Clear the choice" }).click();
  await expect(card.getByLabel("Damaged")).not.toBeChecked();
  await expect(card.getByLabel("Too big")).toBeFocused();
  await card.getByLabel("Note").fill("half a thought");
  await card.getByRole("button", { name: "Cancel" }).click();
  await card.getByRole("button", { name: "Keep it" }).click();
  await expect(card.getByLabel("Note")).toHaveValue("half a thought");
  await card.getByRole("button", { name: "Cancel" }).click();
  await card.getByRole("button", { name: "Cancel the form" }).click();
  await expect(card.getByText("This form is no longer open.")).toBeVisible();
});

test("a form that is taller than the view is read from its beginning", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  const fields = manyFields(12);
  await lab.reply(chatId, { text: "Please fill this in.", collection: { ...returnForm, fields } });
  const reply = await chat.ask("I would like a fitting");
  await expect(reply.getByLabel("Question 0")).toBeInViewport();
  await expect(reply.getByText("Please fill this in.")).toBeInViewport();
  await chat.send("Do I need all of it?");
  await expect(chat.messages("visitor").last()).toBeInViewport();
});

test("a form that was answered is not open again when its chat is opened, which shows its end", {
  tag: "@ours",
}, async ({ chat, page }) => {
  const chatId = await chat.start();
  const fields = manyFields(12);
  await lab.reply(chatId, { text: "Please fill this in.", collection: { ...returnForm, fields } });
  const reply = await chat.ask("I would like a fitting");
  await lab.reply(chatId, { text: "We have noted it." });
  await reply.getByLabel("Question 0").fill("Fell 2");
  await reply.getByRole("button", { name: "Send" }).click();
  await expect(chat.messages("agent").getByText("We have noted it.")).toBeAttached();

  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector("[data-open=true]") !== null) Object.assign(window, { wasOpenAgain: true });
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await page.reload();
  await expect(chat.panel.getByText("Sent. Thank you.")).toBeAttached();
  await expect(chat.messages("agent").getByText("We have noted it.")).toBeInViewport();
  expect(await page.evaluate(() => Reflect.get(window, "wasOpenAgain"))).toBeUndefined();
});

test("a newer form takes neither the focus nor the view from who writes, and is read from its beginning", {
  tag: "@ours",
}, async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: returnForm });
  await chat.ask("I want to return something");
  const fields = manyFields(8);
  await lab.reply(chatId, { text: "And this.", collection: { ...returnForm, fields } });
  // What is known of the first form is all that is known for a while.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/collection", async (route) => {
    await released;
    await route.continue();
  });
  await chat.composer.fill("and to have it mended");
  await chat.sendButton.click();
  await chat.composer.focus();
  await expect(chat.lastReply().getByLabel("Question 0")).toBeInViewport();
  await expect(chat.panel.getByText("This form is no longer open.")).toHaveCount(1);
  await expect(chat.composer).toBeFocused();
  release();
});

test("a chat with a form further up opens at its end, and stays there when it is closed", {
  tag: "@ours",
}, async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: returnForm });
  await chat.ask("I want to return something");
  const lines = Array.from({ length: 60 }, (_, line) => `Line ${line}`);
  await lab.reply(chatId, { text: lines.join("\n") });
  const end = (await chat.ask("How do I pack it?")).getByRole("time");
  await page.reload();
  await expect(chat.panel.getByLabel("Too big")).toBeAttached();
  await expect(end).toBeInViewport();

  await chat.composer.focus();
  await team.resolve(chatId);
  // The chat looks for news as soon as the network is back, unless it has just begun to: after the reload, too.
  const closed = chat.panel.getByText("This form is no longer open.");
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      return closed.count();
    })
    .toBe(1);
  await expect(end).toBeInViewport();
});
