/** Processes that die during a reply: the customer sees the whole reply once, without pressing a button. */

import { Lab } from "../../channel/lab/lab-client.ts";
import { sandboxAgent, TestEnvironment } from "../../testing/processes/test-environment.ts";
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { heldReply } from "../support/lab.ts";

let environment: TestEnvironment;
test.beforeAll(async () => {
  environment = await TestEnvironment.start({ env: sandboxAgent });
});
test.afterAll(async () => {
  await environment.stop();
});
test.describe.configure({ mode: "serial" });

const { text } = heldReply();
const lab = () => new Lab(environment);

/** The page follows the running reply again, and shows its end. */
async function finishHeldReply(chat: ChatPage, chatId: string): Promise<void> {
  await lab().continueReply(chatId, 10);
  await expect(chat.unfinishedReply).toContainText("word9", { timeout: 60_000 });
  await lab().continueReply(chatId);
}

test("keeps the shown text without an error after kill -9 of both programs", aChat, async ({ chat }) => {
  const chatId = await chat.start(environment.shopUrl);
  await lab().reply(heldReply(), chatId);
  await chat.send("tell me");
  const reply = chat.unfinishedReply;
  await expect(reply).toContainText("word4");
  const read = (await reply.textContent())?.slice(0, 20) ?? "";
  await chat.page.evaluate(() => {
    const notes: string[] = [];
    Object.assign(window, { notes });
    new MutationObserver(() => {
      const note = document.querySelector("[data-code]")?.textContent;
      if (note) notes.push(note);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await Promise.all([environment.killChannel("SIGKILL"), environment.killShop("SIGKILL")]);
  // Longer than the retries of either program, so that the page notices the outage.
  await expect(chat.panel.getByText("Connection lost. Fetching the rest…")).toBeVisible();
  await environment.startShop();
  await expect(reply).toContainText(read);
  await expect(chat.messages("visitor")).toHaveCount(2);
  await environment.startChannel();
  await finishHeldReply(chat, chatId);
  await expect(chat.lastReply()).toContainText(read);
  await expect(chat.panel.locator("[data-delivery]")).toHaveCount(0, { timeout: 60_000 });
  expect(await chat.page.evaluate(() => (window as unknown as { notes: string[] }).notes)).toEqual([]);
  await expect(chat.unfinishedReply).toHaveCount(0, { timeout: 60_000 });
  const expectOneWholeReply = async () => {
    await expect(chat.messages("agent")).toHaveCount(2);
    await expect(chat.lastReply().locator("p[dir=auto]")).toHaveText(text);
    await expect(chat.messages("visitor")).toHaveCount(2);
  };
  await expectOneWholeReply();
  // The stored text is the same.
  await chat.page.reload();
  await expectOneWholeReply();
});

test("shows on the demo's page that a message outlives its killed server", aChat, async ({ page }) => {
  const chat = new ChatPage(page, page.locator("section[data-panel]"));
  await page.goto(`${environment.shopUrl}/playground`);
  const strip = page.getByRole("region", { name: "Pull the plug" });
  await chat.ask("hello");
  const chatId = await chat.chatId();
  await lab().reply(heldReply(), chatId);
  await strip.getByRole("button", { name: "Kill the chat server" }).click();
  await expect(strip.getByRole("status")).toHaveText(/The chat server is down/);
  await environment.startChannel();
  await finishHeldReply(chat, chatId);
  await expect(strip.getByRole("status")).toHaveText("Pressed 2, stored 2, shown 2.", { timeout: 60_000 });
  await expect(chat.messages("agent")).toHaveCount(2);
});
