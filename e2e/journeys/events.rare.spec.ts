/** Events that the host's page hears of the chat: in React, and from `<shop-chat>`. */
import type { Page } from "@playwright/test";
import { ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";

const types = `ready opened closed message_sent reply_started reply_done stopped form_opened form_submitted
  form_skipped form_cancelled offer_shown team_requested teammate_joined resolved rated product_opened
  source_opened error`.split(/\s+/);

/** Records the DOM's events that reach the window. The returned function resolves with them. */
async function listened(page: Page): Promise<() => Promise<Record<string, unknown>[]>> {
  await page.addInitScript((names) => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    for (const type of names)
      window.addEventListener(`shop-chat:${type}`, (event) => heard.push((event as CustomEvent).detail));
  }, types);
  return () => page.evaluate(() => (window as unknown as { heard: Record<string, unknown>[] }).heard);
}

const typesOf = (heard: readonly Record<string, unknown>[]) => heard.map(({ type }) => type);
const beginning = ["ready", "opened", "message_sent", "reply_started", "reply_done"];

test("tells a page with React what happens, by IDs", async ({ page }) => {
  const heard = await listened(page);
  const chat = new ChatPage(page);
  await page.goto("/playground?mode=floating");
  await chat.launcher.click();
  await chat.ask("which helmets do you have?");
  await expect.poll(async () => typesOf(await heard())).toEqual(beginning);
  const product = chat.lastReply().getByRole("list", { name: "Products" }).getByRole("link").first();
  await product.click();
  await chat.ask("Do you deliver to Ireland?");
  await chat
    .lastReply()
    .getByText(/sources?$/)
    .click();
  await chat.lastReply().getByRole("listitem").getByRole("link").first().click({ button: "middle" });
  await page.keyboard.press("Escape");
  await expect(chat.launcher).toBeVisible();

  const all = await heard();
  expect(typesOf(all).slice(beginning.length)).toEqual([
    "product_opened",
    ...beginning.slice(2),
    "source_opened",
    "closed",
  ]);
  const id = expect.stringMatching(/^[\w-]+$/);
  const of = { chatId: id, messageId: id };
  expect(all).toContainEqual({ type: "product_opened", ...of, productId: id });
  expect(all).toContainEqual({ type: "source_opened", ...of, position: 1 });
  expect(JSON.stringify(all)).not.toMatch(/helmet|Ireland|http/i);
  // The component's function hears the same.
  await expect(page.getByRole("region", { name: "What the page learns" }).getByRole("listitem")).toHaveText(
    typesOf(all)
      .toReversed()
      .slice(0, 8)
      .map((type) => new RegExp(`^${type} `)),
  );
});

test("a page that shows the open chat again does not open it", async ({ page }) => {
  const heard = await listened(page);
  const chat = new ChatPage(page);
  await page.goto("/playground?mode=floating");
  await chat.launcher.click();
  await expect(chat.composer).toBeFocused();
  expect(typesOf(await heard())).toEqual(["ready", "opened"]);
  await page.reload();
  await expect(chat.composer).toBeEditable();
  await page.keyboard.press("Escape");
  await expect(chat.launcher).toBeVisible();
  expect(typesOf(await heard())).toEqual(["ready", "closed"]);
});

test(
  "tells the page of <shop-chat>, whose faulty listener harms nothing",
  chats(1),
  async ({ page, complaints }) => {
    const heard = await listened(page);
    await page.addInitScript(() =>
      window.addEventListener("shop-chat:opened", () => {
        throw new Error("of the page");
      }),
    );
    const chat = new ChatPage(page);
    await openElementPage(page);
    await chat.launcher.click();
    await chat.ask("hello");
    await expect.poll(async () => typesOf(await heard())).toEqual(beginning);
    expect(complaints.splice(0)).toEqual(["Error: of the page"]);
  },
);
