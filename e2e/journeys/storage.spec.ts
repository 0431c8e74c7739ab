/** The browser's storage: shared by two tabs, full, or blocked. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { passToTeam } from "../support/handoff.ts";
import { advanceTo } from "../support/london-time.ts";
import { test as withLab } from "./remedies/remedy-test.ts";

test("delivers every message that two tabs send at the same time", chats(2), async ({ chat, context }) => {
  const left = await chat.start();
  const other = new ChatPage(await context.newPage());
  await other.open();
  // Chats of their own, because tabs share the draft of a chat.
  await other.panel.getByRole("button", { name: "New chat" }).click();
  await other.ask("hello");
  const right = await other.chatId();
  // All messages stay in the outbox until both tabs have sent theirs.
  await context.route("**/messages", (route) => route.abort());
  const texts: string[] = [];
  for (const round of Array.from({ length: 4 }).keys()) {
    const pair = [`left ${round}`, `right ${round}`] as const;
    texts.push(...pair);
    await Promise.all([chat.composer.fill(pair[0]), other.composer.fill(pair[1])]);
    await Promise.all([chat.sendButton.click(), other.sendButton.click()]);
    await Promise.all([expect(chat.composer).toHaveValue(""), expect(other.composer).toHaveValue("")]);
  }
  await context.unroute("**/messages");
  for (const { page } of [chat, other]) await page.evaluate(() => dispatchEvent(new Event("online")));
  await Promise.all([chat.settled(), other.settled()]);
  for (const [side, chatId] of Object.entries({ left, right })) {
    await chat.page.goto(`/about?chat=${chatId}`);
    const shown = chat.messages("visitor").locator("p[dir=auto]");
    await expect(shown).toHaveText(["hello", ...texts.filter((text) => text.startsWith(side))]);
  }
});

/** Runs in the page. */
function blockStorage(): void {
  const forbidden = () => {
    throw new DOMException("denied", "SecurityError");
  };
  Object.defineProperty(window, "localStorage", { get: forbidden });
  Object.defineProperty(window, "sessionStorage", { get: forbidden });
}

/** Runs in the page: the storage takes nothing more. */
function fillStorage(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
}

test(
  "asks for cookies in a browser that blocks them, and keeps the message",
  { tag: "@rare" },
  async ({ playwright, launchOptions, baseURL }, testInfo) => {
    // Chromium's own setting also denies storage and locks.
    const profile = testInfo.outputPath("profile");
    await mkdir(join(profile, "Default"), { recursive: true });
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(settings));
    const context = await playwright.chromium.launchPersistentContext(profile, launchOptions);
    const chat = new ChatPage(await context.newPage());
    await chat.open(`${baseURL}/about`);
    await chat.send("hello");
    await expect(chat.panel.locator("[data-code=session_required]")).toContainText(/needs cookies/);
    await expect(chat.messages("visitor")).toContainText("hello");
    await context.close();
  },
);

for (const [state, limit] of Object.entries({ blocked: blockStorage, full: fillStorage })) {
  withLab(
    `passes a chat to an absent team while the storage is ${state}`,
    { tag: "@rare" },
    async ({ fixtures: { chat, lab, page } }) => {
      await advanceTo(lab, ({ weekday, time }) => weekday === "Sat" && time === "22:00");
      await page.addInitScript(limit);
      const asked: unknown[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/handoff")) asked.push(JSON.parse(request.postData() ?? ""));
      });
      await chat.open();
      await expect(chat.panel.getByText("Your browser isn’t saving anything here")).toBeVisible();
      await passToTeam(chat, "See you on Monday");
      await expect(chat.messages("visitor").last()).toContainText("See you on Monday");
      expect(asked).toHaveLength(2);
      expect(asked[1]).toEqual(asked[0]);
      expect(asked[0]).toMatchObject({ email: "maya@example.com" });
    },
  );
}
