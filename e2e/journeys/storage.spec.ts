/** The browser's storage: full, or blocked. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChatPage, expect, test } from "../support/chat-page.ts";
import { passToTeam } from "../support/handoff.ts";
import { advanceTo } from "../support/london-time.ts";
import { test as withLab } from "./remedies/remedy-test.ts";

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
