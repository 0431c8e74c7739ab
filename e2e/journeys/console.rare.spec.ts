/** The team console by keyboard alone, and beside a customer who keeps writing. */
import { randomUUID } from "node:crypto";
import { violationsOf, wcag } from "../support/accessibility.ts";
import { expect, pollNow, test } from "../support/handoff.ts";
import { channelUrl, lab } from "../support/lab.ts";

test("lets a teammate find, claim and answer a chat by keyboard", { tag: "@ours" }, async ({ people }) => {
  const says = `By keyboard ${Date.now()}`;
  const { chat } = await people.customerWith({ mode: "waiting", says });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  const { keyboard } = page;
  await team.open();
  await keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  await expect(page.getByRole("link", { name: /^Waiting/ })).toBeFocused();
  await page.getByRole("link", { name: says }).focus();
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
  await page.getByRole("region", { name: "Messages" }).focus();
  await keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Claim" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.locator("#reply")).toBeFocused();
  await keyboard.type("Good morning!");
  await keyboard.press("Control+Enter");
  await expect(team.messages.last()).toContainText("Good morning!");
  await expect(page.locator("#reply")).toHaveValue("");
  await expect(page.locator("#reply")).toBeFocused();
  await pollNow(chat);
  await expect(chat.messages("teammate")).toContainText("Good morning!");
});

test("updates the chat page while a teammate types", { tag: "@ours" }, async ({ people }) => {
  const { chat, chatId } = await people.customerWith({
    mode: "teammate",
    teammate: "Zoë",
    says: "My lamp is dark",
  });
  const team = await people.newTeammate("Zoë");
  await team.open(`/chats/${chatId}`);
  await team.page.getByText("Ask for details", { exact: true }).click();
  await team.page.locator("#reply").fill("I am looking for");
  await team.page.locator("#reply").press("Home");
  await chat.send("And the bell is silent");
  await expect(team.messages.last()).toContainText("And the bell is silent");
  await expect(team.page.locator("#reply")).toBeFocused();
  await team.page.keyboard.type("Yes, ");
  await expect(team.page.locator("#reply")).toHaveValue("Yes, I am looking for");
  await expect(team.page.getByLabel("Why you ask")).toBeVisible();
});

test("keeps the keyboard focus while chats enter and leave the list", { tag: "@ours" }, async ({
  people,
}) => {
  const says = `In the middle ${Date.now()}`;
  await people.customerWith({ mode: "waiting", says });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  await page.clock.install();
  await team.open("?mode=waiting");
  const chosen = page.getByRole("link", { name: says });
  await chosen.focus();
  const id = `longest_${randomUUID()}`;
  const createdAt = "2026-01-01T00:00:00.000Z";
  await lab.importChat({
    id,
    userId: "cust.maya-okafor",
    mode: "waiting",
    handoff: { status: "waiting", requestedAt: createdAt },
    messages: [{ role: "visitor", text: `Longer than anyone ${id}`, createdAt }],
  });
  await page.clock.fastForward(2_000);
  const first = page.getByRole("link", { name: id });
  await expect(first).toBeVisible();
  await expect(chosen).toBeFocused();
  await lab.deleteChat(id);
  await page.clock.fastForward(2_000);
  await expect(first).toHaveCount(0);
  await expect(chosen).toBeFocused();
});

test("keeps what is typed on a page that cannot be updated, and says so", { tag: "@ours" }, async ({
  people,
}) => {
  const handoff = { status: "claimed" as const };
  const chat = { userId: "cust.ana-lopez", mode: "teammate" as const, teammate: "Zoë", handoff };
  const channel = await lab.createChannel({ chats: [chat] });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  await page.clock.install();
  await team.open(`/channels/${channel.channelKey}/chats/${channel.chats[0]?.id}`);
  await page.locator("#reply").fill("It is ready.");
  await channel.drop();
  await page.clock.fastForward(2_000);
  await expect(page.getByText("This page is not up to date")).toBeVisible();
  await expect(page.locator("#reply")).toHaveValue("It is ready.");
});

test("opens the next chat with Alt and an arrow key", { tag: "@ours" }, async ({ people }) => {
  await people.customerWith({ mode: "waiting", says: `One ${Date.now()}` });
  await people.customerWith({ mode: "waiting", says: `Another ${Date.now()}` });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  await team.open("?mode=waiting");
  const chats = page.locator("#chats a");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(chats.first()).toHaveAttribute("aria-current", "true");
  await page.waitForLoadState();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(chats.nth(1)).toHaveAttribute("aria-current", "true");
});

test("shows a channel that a test has created: its chats, requests and faults", { tag: "@ours" }, async ({
  people,
}) => {
  const channel = await lab.createChannel({ chats: [{ userId: "cust.ana-lopez" }] });
  await channel.lab.addFault({ operation: "sendMessage", fault: "error", code: "chat_limit_reached" });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  await team.open(`?channel=${channel.channelKey}`);
  await expect(page.getByText(channel.channelKey)).toBeVisible();
  await page.getByRole("link", { name: /With the agent/ }).click();
  await expect(page.getByRole("link", { name: "Ana Lopez" })).toBeVisible();
  await page.getByRole("link", { name: "Lab", exact: true }).click();
  await expect(page.locator("#faults")).toContainText("chat_limit_reached");
  await channel.drop();
});

test("every page is accessible in light and dark and fits a phone", { tag: "@ours" }, async ({ people }) => {
  const { chatId } = await people.customerWith({ mode: "waiting", says: "Is it ready?" });
  const team = await people.newTeammate("Priya N.");
  await team.page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["", `/chats/${chatId}`, "/requests", "/lab", "/channels"]) {
    await team.open(path);
    for (const colorScheme of ["light", "dark"] as const) {
      await team.page.emulateMedia({ colorScheme });
      await team.expectAccessible();
    }
    const overflow = await team.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBe(0);
  }
});

test("shows the channel's reference on a phone without an accessibility fault", { tag: "@ours" }, async ({
  context,
  page,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(channelUrl);
  await expect(page.getByRole("heading", { level: 1, name: "The Chat API" })).toBeVisible();
  await page.getByRole("button", { name: "Copy" }).filter({ visible: true }).first().click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    `BASE=${channelUrl}/v1/channels`,
  );
  expect(await violationsOf(page, { tags: [...wcag, "best-practice"] })).toEqual([]);
});

test("shows a reference of the API that is accessible", { tag: "@ours" }, async ({ page }) => {
  await page.goto(`${channelUrl}/docs`);
  await expect(page.getByRole("heading", { name: "The Chat API" })).toBeVisible();
  expect(await violationsOf(page, { tags: wcag })).toEqual([]);
});
