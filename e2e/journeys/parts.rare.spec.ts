/** Lazily loaded parts of the chat, when loading fails or is delayed. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { aNote } from "../support/attachments.ts";
import { aChat, type ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { lab, startHeldReply } from "../support/lab.ts";
import { responseTo } from "../support/response-to.ts";

test("loads a requested part when the network returns", aChat, async ({ chat, context, page }) => {
  await chat.start();
  const waits = chat.panel.getByText("You’ll see this when you’re back online.");
  const more = chat.panel.getByRole("button", { name: "More", exact: true });
  await context.setOffline(true);
  await more.click();
  await expect(waits).toBeVisible();
  await chat.expectAccessible();
  await context.setOffline(false);
  const item = page.getByRole("menuitem", { name: "Download as text" });
  await expect(item).toBeVisible();
  await expect(waits).toBeHidden();

  await context.setOffline(true);
  await item.click();
  await expect(waits).toBeVisible();
  const download = page.waitForEvent("download");
  await context.setOffline(false);
  expect((await download).suggestedFilename()).toMatch(/chat\.txt$/);
  await expect(page.getByRole("menu")).toBeHidden();
});

test("drops a pending transcript when another chat opens", chats(2), async ({ chat, context, page }) => {
  const saved: string[] = [];
  page.on("download", (download) => saved.push(download.suggestedFilename()));
  await chat.start();
  const more = chat.panel.getByRole("button", { name: "More", exact: true });
  const item = page.getByRole("menuitem", { name: "Download as text" });
  await more.click();
  await expect(item).toBeVisible();
  await context.setOffline(true);
  await item.click();
  await expect(item).toContainText("You’ll see this when you’re back online.");
  await page.keyboard.press("Escape");
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await context.setOffline(false);
  await chat.ask("hello again");

  await more.click();
  const download = page.waitForEvent("download", {
    predicate: async (file) => (await readFile(await file.path(), "utf8")).includes("hello again"),
  });
  await item.click();
  await download;
  expect(saved).toHaveLength(1);
});

test("retries a part after a failure of the network", aChat, async ({ chat, complaints, page }) => {
  await chat.start();
  await cutNetwork(page);
  const failed = chat.panel.getByRole("alert").filter({ hasText: "This part could not be loaded." });
  await chat.attach(aNote("receipt.txt"));
  await expect(failed).toBeVisible();
  await chat.expectAccessible();
  await page.unroute("**/_next/static/**");
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(chat.panel.getByRole("button", { name: "Remove receipt.txt" })).toBeVisible();
  // React logs each failure.
  expect(complaints.splice(0).length).toBeGreaterThan(0);
});

test(
  "says that a deployment has replaced the page, and keeps the draft in its reload",
  aChat,
  async ({ chat, complaints, page }) => {
    await chat.start();
    await chat.composer.fill("half a question");
    await chat.attach(aNote("receipt.txt"));
    const attached = chat.panel.getByRole("button", { name: "Remove receipt.txt" });
    await expect(attached).toBeVisible();
    await page.route("**/_next/static/**", (route) => route.fulfill({ status: 404 }));
    await chat.panel.getByRole("button", { name: "More", exact: true }).click();
    await expect(outdated(chat)).toBeVisible();
    const menu = chat.panel.getByRole("alert").filter({ hasText: "This page is from before an update." });
    await expect(menu).toBeVisible();
    await chat.expectAccessible();
    await page.unroute("**/_next/static/**");
    await menu.getByRole("button", { name: "Reload the page" }).click();
    await expect(outdated(chat)).toBeHidden();
    await expect(chat.composer).toHaveValue("half a question");
    await expect(attached).toBeVisible();
    await chat.choose("Previous chats");
    await expect(chat.panel.getByText("On screen now")).toBeVisible();
    // React logs each failure.
    expect(complaints.splice(0).length).toBeGreaterThan(0);
  },
);

async function cutNetwork(page: Page): Promise<void> {
  for (const address of ["**/_next/static/**", "**/api/chat/health/live"])
    await page.route(address, (route) => route.abort());
}

const outdated = ({ panel }: ChatPage) =>
  panel.getByRole("status").filter({ hasText: "This page is from before an update." });

test("says why a message waits while what sends it fails to load", aChat, async ({ chat, page }) => {
  await page.route("**/_next/static/**/*.js", async (route) => {
    const response = await responseTo(route);
    // A deployment may remove the file between the panel's and this one.
    const isDelivery = (await response.text()).includes("streamMessage");
    await route.fulfill(isDelivery ? { status: 404 } : { response });
  });
  await chat.open();
  await chat.send("hello");
  await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText(/Reconnecting. Trying again/);
  await expect(outdated(chat)).toBeVisible();
  await page.unroute("**/_next/static/**/*.js");
  await expect(chat.answers).toHaveCount(1);
});

test("says once that a message was refused while its note fails to load", {
  tag: "@ours",
  ...aChat,
}, async ({ chat, complaints, page }) => {
  await chat.start();
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await cutNetwork(page);
  const error = { code: "chat_limit_reached", message: "", requestId: "req_of_a_full_plan" };
  await page.route("**/api/chat/chats", (route) => route.fulfill({ status: 429, json: { error } }));
  await chat.send("hello");
  await expect(chat.panel.locator("[data-delivery=refused]")).toContainText("hello");
  const notSent = chat.panel.getByRole("paragraph").filter({ hasText: /^Not sent/ });
  const failed = chat.panel.getByRole("alert").filter({ hasText: "This part could not be loaded." });
  const tryAgain = failed.getByRole("button", { name: "Try again" });
  await expect(tryAgain).toBeVisible();
  await expect(notSent).toHaveCount(1);
  await chat.expectAccessible();
  await page.unroute("**/_next/static/**");
  await tryAgain.click();
  await expect(chat.panel.locator("[data-code=chat_limit_reached]")).toBeVisible();
  await expect(notSent).toBeHidden();
  // React logs the failure.
  expect(complaints.splice(0).length).toBeGreaterThan(0);
});

test("counts unread messages when the notification part fails to load", { tag: "@ours" }, async ({
  chat,
  page,
}) => {
  const chatId = await startHeldReply(chat);
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  let failures = 0;
  await page.route("**/_next/static/**", async (route) => {
    await route.fulfill({ status: 404 });
    failures += 1;
  });
  await lab.continueReply(chatId);
  await expect(chat.launcher).toContainText("1");
  // Next retries a failed chunk once.
  await expect.poll(() => failures).toBe(2);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.unroute("**/_next/static/**");
  await chat.launcher.click();
  await expect(chat.lastReply()).toContainText(/word0 word1 .*word39/);
});
