/** Parts of the chat that load on use, where they do not load at once. */
import { readFile } from "node:fs/promises";
import { aChat, chats, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";

test(
  "what is asked for without a network says so in its place, and comes with the network",
  aChat,
  async ({ chat, context, page }) => {
    await chat.start();
    const waits = chat.panel.getByText("This part is shown once you are back online.");
    const more = chat.panel.getByRole("button", { name: "More" });
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
  },
);

test(
  "a transcript that waits for a network is not of the chat that has come on screen meanwhile",
  chats(2),
  async ({ chat, context, page }) => {
    const saved: string[] = [];
    page.on("download", (download) => saved.push(download.suggestedFilename()));
    await chat.start();
    const more = chat.panel.getByRole("button", { name: "More" });
    const item = page.getByRole("menuitem", { name: "Download as text" });
    await more.click();
    await expect(item).toBeVisible();
    await context.setOffline(true);
    await item.click();
    await expect(item).toContainText("This part is shown once you are back online.");
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
  },
);

test(
  "a part that does not load is tried again, then the page is loaded anew; nothing typed is lost",
  aChat,
  async ({ chat, complaints, page }) => {
    await chat.start();
    await chat.composer.fill("half a question");
    // As after a deployment that took this version's files away.
    await page.route("**/_next/static/**", (route) => route.fulfill({ status: 404 }));
    const more = chat.panel.getByRole("button", { name: "More" });
    const failed = chat.panel.getByRole("alert").filter({ hasText: "This part could not be loaded." });
    const menu = page.getByRole("menu");
    await more.click();
    await expect(failed).toBeVisible();
    await chat.expectAccessible();
    await page.unroute("**/_next/static/**");
    await failed.getByRole("button", { name: "Try again" }).click();
    await expect(menu.getByRole("menuitem", { name: "Previous chats" })).toBeVisible();

    await page.route("**/_next/static/**", (route) => route.fulfill({ status: 404 }));
    await menu.getByRole("menuitem", { name: "Previous chats" }).click();
    await failed.getByRole("button", { name: "Try again" }).click();
    const reload = failed.getByRole("button", { name: "Reload the page" });
    await expect(reload).toBeVisible();
    await page.unroute("**/_next/static/**");
    await reload.click();
    await expect(failed).toBeHidden();
    await expect(chat.composer).toHaveValue("half a question");
    await more.click();
    await menu.getByRole("menuitem", { name: "Previous chats" }).click();
    await expect(chat.panel.getByText("On screen now")).toBeVisible();
    // React tells the developer of each failure.
    expect(complaints.splice(0).length).toBeGreaterThan(0);
  },
);

test("where what calls for the customer does not load, the page stands and the button counts", {
  tag: "@ours",
}, async ({ chat, page }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, heldReply());
  await chat.send("tell me");
  await expect(chat.panel.locator("[aria-busy=true]")).toContainText("word3");
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  let refused = 0;
  await page.route("**/_next/static/**", async (route) => {
    await route.fulfill({ status: 404 });
    refused += 1;
  });
  await lab.goOn(chatId);
  await expect(chat.launcher).toContainText("1");
  // Next asks a second time by itself.
  await expect.poll(() => refused).toBe(2);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.unroute("**/_next/static/**");
  await chat.launcher.click();
  await expect(chat.lastReply()).toContainText(/word0 word1 .*word39/);
});
