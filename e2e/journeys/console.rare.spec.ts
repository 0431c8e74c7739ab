/** The team console by keyboard alone, and beside a customer who keeps writing. */
import { randomUUID } from "node:crypto";
import { violationsOf, wcag } from "../support/accessibility.ts";
import { expect, pollNow, test } from "../support/handoff.ts";
import { channelUrl, lab } from "../support/lab.ts";
import { TeamConsole } from "../support/team-console.ts";

test("lets a teammate find, claim and answer a chat by keyboard", async ({ people }) => {
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
  await expect(page.getByRole("link", { name: "All" })).toBeFocused();
  await page.getByRole("link", { name: says }).focus();
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
  // Until its script runs, submitting a form reloads the page and resets the focus.
  await page.waitForLoadState();
  await page.getByRole("region", { name: "Messages" }).focus();
  await keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Claim" })).toBeFocused();
  await keyboard.press("Enter");
  // The pressed button is gone, so the focus moves to the reply field.
  await expect(page.locator("#reply")).toBeFocused();
  await keyboard.type("Good morning!");
  await keyboard.press("Control+Enter");
  await expect(team.messages.last()).toContainText("Good morning!");
  await expect(page.locator("#reply")).toHaveValue("");
  await expect(page.locator("#reply")).toBeFocused();
  await pollNow(chat);
  await expect(chat.messages("teammate")).toContainText("Good morning!");
});

test("updates the chat page while a teammate types", async ({ people }) => {
  const { chat, chatId } = await people.customerWith({
    mode: "teammate",
    teammate: "Zoë",
    says: "My lamp is dark",
  });
  const team = await people.newTeammate("Zoë");
  await team.open(`/chats/${chatId}`);
  await team.page.locator("#handoff summary").click();
  await team.page.locator("#reply").fill("I am looking for");
  await team.page.locator("#reply").press("Home");
  await chat.send("And the bell is silent");
  await expect(team.messages.last()).toContainText("And the bell is silent");
  await expect(team.page.locator("#reply")).toBeFocused();
  await team.page.keyboard.type("Yes, ");
  await expect(team.page.locator("#reply")).toHaveValue("Yes, I am looking for");
  await expect(team.page.locator("#handoff dl")).toBeVisible();
});

test("keeps the keyboard focus while chats enter and leave the list", async ({ people }) => {
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

test("keeps the chat on the page when another one becomes the first", async ({ people }) => {
  const createdAt = new Date().toISOString();
  const channel = await lab.createChannel({
    chats: ["One", "Another"].map((text) => ({
      userId: "cust.ana-lopez",
      mode: "teammate" as const,
      teammate: "Zoë",
      handoff: { status: "claimed" as const },
      messages: [{ role: "visitor" as const, text, createdAt }],
    })),
  });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  await page.clock.install();
  await team.open(`/channels/${channel.channelKey}`);
  const row = await page.locator("#chats [aria-current]").getAttribute("id");
  const shown = channel.chats.find(({ id }) => row === `chat-${id}`);
  const other = channel.chats.find((chat) => chat !== shown);
  await channel.lab.postMessage(other?.id ?? "", "An answer to the other customer");
  await page.locator("#reply").fill("An answer to this customer");
  await page.clock.fastForward(2_000);
  await expect(page.locator("#chats a").first()).toHaveAttribute("id", `chat-${other?.id}`);
  await expect(page.locator(`#chat-${shown?.id}`)).toHaveAttribute("aria-current", "true");
  await expect(team.messages).toHaveCount(1);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(team.messages.last()).toContainText("An answer to this customer");
  await channel.drop();
});

test("keeps what is typed when the session has ended", async ({ people }) => {
  const { chatId } = await people.customerWith({ mode: "teammate", teammate: "Zoë", says: "Is it ready?" });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  await team.open(`/chats/${chatId}`);
  await page.locator("#reply").fill("It is ready.");
  await page.context().clearCookies({ name: "console-session" });
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("You are signed out.")).toBeVisible();
  await expect(page.locator("#reply")).toHaveValue("It is ready.");
  await new TeamConsole(await page.context().newPage(), channelUrl).open();
  await expect(page.getByText("You are signed out.")).toBeHidden();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(team.messages.last()).toContainText("It is ready.");
  await expect(page.locator("#reply")).toHaveValue("");
});

/** Opens a chat that this teammate has claimed in a new channel. Installs the clock of the page. */
async function openOwnChannel(team: TeamConsole) {
  const { page } = team;
  const handoff = { status: "claimed" as const };
  const chat = { userId: "cust.ana-lopez", mode: "teammate" as const, teammate: "Zoë", handoff };
  const channel = await lab.createChannel({ chats: [chat] });
  await page.clock.install();
  await team.open(`/channels/${channel.channelKey}/chats/${channel.chats[0]?.id}`);
  return { channel, team, page };
}

test("keeps what is typed when the action fails", async ({ people }) => {
  const { channel, page } = await openOwnChannel(await people.newTeammate("Zoë"));
  await page.locator("#reply").fill("It is ready.");
  await channel.drop();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("The channel does not answer.")).toBeVisible();
  await expect(page.locator("#reply")).toHaveValue("It is ready.");
});

test("says that a channel is gone whose chat is on the page", async ({ people }) => {
  const { channel, page } = await openOwnChannel(await people.newTeammate("Zoë"));
  await channel.drop();
  await page.clock.fastForward(2_000);
  await expect(page.getByText("A test drops its own at its end.")).toBeVisible();
});

test("sends a form once, and keeps what is typed when the action is refused", async ({ people }) => {
  const { channel, team, page } = await openOwnChannel(await people.newTeammate("Zoë"));
  const [chat] = channel.chats;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/messages", async (route) => {
    sent += 1;
    await answered;
    await route.continue();
  });
  const send = page.getByRole("button", { name: "Send" });
  await page.locator("#reply").fill("It is ready.");
  await send.click();
  await send.click();
  answer();
  await expect(team.messages.last()).toContainText("It is ready.");
  expect(sent).toBe(1);
  await channel.lab.claim(chat?.id ?? "", "Priya N.");
  await page.locator("#reply").fill("Anything else?");
  await send.click();
  await expect(page.locator("#problem")).toContainText("Priya N.");
  await page.clock.fastForward(2_000);
  await expect(page.locator("#state")).toContainText("Priya N.");
  await expect(page.locator("#reply")).toHaveValue("Anything else?");
  await expect(page.locator("#problem")).toBeVisible();
  await channel.drop();
});

test("opens the next chat with Alt and an arrow key", async ({ people }) => {
  await people.customerWith({ mode: "waiting", says: `One ${Date.now()}` });
  await people.customerWith({ mode: "waiting", says: `Another ${Date.now()}` });
  const team = await people.newTeammate("Zoë");
  const { page } = team;
  await team.open("?mode=waiting");
  const chats = page.locator("#chats a");
  await expect(chats.first()).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(chats.nth(1)).toHaveAttribute("aria-current", "true");
});

test("every page is accessible in light and dark and fits a phone", async ({ people }) => {
  const { chatId } = await people.customerWith({ mode: "waiting", says: "Is it ready?" });
  const team = await people.newTeammate("Priya N.");
  await team.page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["", `/chats/${chatId}`, "/lab?reads"]) {
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

test("shows the channel's reference on a phone without an accessibility fault", async ({ context, page }) => {
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

test("shows a reference of the API that is accessible", async ({ page }) => {
  await page.goto(`${channelUrl}/docs`);
  await expect(page.getByRole("heading", { name: "The Chat API" })).toBeVisible();
  expect(await violationsOf(page, { tags: wcag })).toEqual([]);
});
