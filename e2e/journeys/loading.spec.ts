import { gzipSync } from "node:zlib";
import type { Locator, Page } from "@playwright/test";
import { ChatPage, expect, test } from "../support/chat-page.ts";

/** The chat and its language, with what Next adds. */
const budget = 86_000;

/** The page's `error` event receives it, for the shop's monitoring. */
const reported = expect.stringContaining("ChunkLoadError");

test("loads the chat for a visitor who saves data on opening, within the budget", async ({ chat, page }) => {
  await saveData(page);
  await page.goto("/", { waitUntil: "networkidle" });
  const loads = scriptsOf(chat);
  await chat.launcher.click();
  await expect(chat.composer).toBeEditable();
  await chat.ask("hello");
  const opening = await Promise.all(loads.splice(0));
  expect(opening.length).toBeGreaterThan(0);
  expect(sum(opening)).toBeLessThanOrEqual(budget);

  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await page.reload({ waitUntil: "networkidle" });
  loads.length = 0;
  await chat.launcher.click();
  await expect(chat.messages("visitor")).toHaveText(/hello/);
  const reopening = await Promise.all(loads);
  expect(reopening.length).toBeGreaterThan(0);
  expect(sum(reopening)).toBeLessThanOrEqual(budget);
});

const remedies: Record<string, (chat: ChatPage) => Locator> = {
  "loads it when it is pressed again": ({ launcher }) => launcher,
  "is open after the page is reloaded": ({ page }) => page.getByRole("button", { name: "Reload the page" }),
};

for (const [remedy, buttonOf] of Object.entries(remedies))
  test(`says that the chat could not be loaded, and ${remedy}`, { tag: "@rare" }, async ({
    chat,
    page,
    complaints,
  }) => {
    await saveData(page);
    await page.goto("/", { waitUntil: "networkidle" });
    // As after a deployment, which has removed this version's files.
    await page.route("**/_next/static/**", (route) => route.fulfill({ status: 404 }));
    await chat.launcher.click();
    await expect(page.getByText("The chat could not be loaded.")).toBeVisible();
    await page.unroute("**/_next/static/**");
    await buttonOf(chat).click();
    await expect(chat.composer).toBeEditable();
    expect(complaints.splice(0)).toEqual([reported]);
  });

test("prepares the chat while the page is idle, and opens it without a request", async ({
  chat,
  page,
  context,
}) => {
  const requests = requestsOf(chat);
  await page.goto("/");
  await expect(page.locator("dialog textarea")).toBeAttached();
  expect(requests).toEqual([]);
  expect(await page.evaluate(async () => (await navigator.locks.query()).held)).toEqual([]);
  await context.setOffline(true);
  await chat.launcher.click();
  await expect(chat.composer).toBeFocused();
});

test("reads no more of a known chat than what is unread until it is opened", { tag: "@rare" }, async ({
  chat,
  page,
}) => {
  const chatId = await chat.start();
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await page.goto("about:blank");
  const requests = requestsOf(chat);
  await page.goto("/");
  await expect.poll(() => requests).toEqual([`GET /api/chat/chats/${chatId}/messages/before`]);
  await chat.launcher.click();
  await expect(chat.messages("agent").first()).toBeVisible();
});

test("opens the last chat that another tab has started since the page was idle", { tag: "@rare" }, async ({
  chat,
  page,
  context,
}) => {
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.locator("dialog textarea")).toBeAttached();
  await chat.start();
  await chat.panel.getByRole("button", { name: "New chat" }).click();
  await chat.ask("thanks");
  await page.close();
  const otherChat = new ChatPage(other);
  await otherChat.launcher.click();
  await expect(otherChat.messages("visitor")).toHaveText(/thanks/);
});

/** Nothing of the chat loads before it opens. */
async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
  );
}

/** Records the chat's requests. */
function requestsOf({ page }: ChatPage): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/chat")) requests.push(`${request.method()} ${pathname}`);
  });
  return requests;
}

/** Records the gzip size of each script that the page loads from now on. */
function scriptsOf({ page }: ChatPage): Promise<number>[] {
  const loads: Promise<number>[] = [];
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.endsWith(".js")) return;
    loads.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  return loads;
}

function sum(bytes: readonly number[]): number {
  return bytes.reduce((total, each) => total + each, 0);
}
