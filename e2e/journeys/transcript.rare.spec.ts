/** A transcript that waits for the network. */
import { readFile } from "node:fs/promises";
import { aChat, chats, expect, test } from "../support/chat-page.ts";

test("saves a transcript when the network returns", aChat, async ({ chat, context, page }) => {
  await chat.start();
  const waits = chat.panel.getByText("You’ll see this when you’re back online.");
  await chat.panel.getByRole("button", { name: "More", exact: true }).click();
  await context.setOffline(true);
  await page.getByRole("menuitem", { name: "Download as text" }).click();
  await expect(waits).toBeVisible();
  await chat.expectAccessible();
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
