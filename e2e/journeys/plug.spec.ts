/** The demo's strip "Pull the plug": it breaks the chat on purpose and counts what became of each message. */
import { violationsOf, wcag } from "../support/accessibility.ts";
import { ChatPage, expect, test } from "../support/chat-page.ts";

test("counts each press once through a cut stream, a 429 and no network", { tag: "@rare" }, async ({
  page,
  playwright,
}) => {
  const chat = new ChatPage(page, page.locator("section[data-panel]"));
  await page.goto("/playground");
  const strip = page.getByRole("region", { name: "Pull the plug" });
  const newest = strip.getByRole("list", { name: "Requests, newest first" }).getByRole("listitem").first();
  const verdict = strip.getByRole("status");
  await chat.ask("hello");
  await expect(verdict).toHaveText("Pressed 1, stored 1, shown 1.");

  await strip.getByRole("button", { name: "Cut the stream" }).click();
  await expect(newest).toContainText("Chat API: accepted → cut → accepted");
  await expect(verdict).toHaveText("Pressed 2, stored 2, shown 2.");

  await strip.getByRole("button", { name: "Answer 429" }).click();
  await expect(newest).toContainText("429 rate_limited");
  const key = await newest.locator("code").textContent();
  await expect(newest).toContainText("attempt 2");
  await expect(newest.locator("code")).toHaveText(key ?? "");
  await expect(verdict).toHaveText("Pressed 3, stored 3, shown 3.");

  const network = strip.getByRole("button", { name: "Go offline" });
  await network.click();
  await expect(chat.messages("visitor")).toHaveCount(4);
  await expect(chat.panel.getByText(/offline/i).first()).toBeVisible();
  await network.click();
  await expect(verdict).toHaveText("Pressed 4, stored 4, shown 4.");
  const stranger = await playwright.request.newContext();
  const address = new URL(`/api/shop/plug?chat=${await chat.chatId()}`, page.url()).href;
  const told = await stranger.get(address, { headers: { "sec-fetch-site": "same-origin" } });
  expect(told.status()).toBe(404);
  expect((await stranger.post(`${address}&what=kill`)).status()).toBe(403);
  await page.reload();
  await expect(verdict).toHaveText("Pressed 4, stored 4, shown 4.");
  expect(await violationsOf(page, { tags: [...wcag, "best-practice"], within: "main" })).toEqual([]);
});
