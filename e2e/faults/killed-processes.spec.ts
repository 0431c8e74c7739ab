/** Processes that die during a reply: the customer sees the whole reply once, without pressing a button. */

import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { aChat, type ChatPage, expect, test } from "../support/chat-page.ts";

// Slow enough that a reply of 200 deltas outlasts a kill and a restart.
const pace = { CHANNEL_AGENT_PACE: "30" };

let environment: TestEnvironment;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  environment = await TestEnvironment.start({ env: pace });
});
test.afterAll(async () => {
  await environment.stop();
});
test.describe.configure({ mode: "serial", timeout: 120_000 });

async function openInMidReply(chat: ChatPage): Promise<void> {
  await chat.open(environment.shopUrl);
  await chat.send("long answer");
  await expect(chat.unfinishedReply).toContainText(/\w{3}/);
}

async function expectOneWholeReply(chat: ChatPage): Promise<void> {
  await expect(chat.panel.locator("[data-delivery]")).toHaveCount(0, { timeout: 60_000 });
  await expect(chat.unfinishedReply).toHaveCount(0, { timeout: 60_000 });
  await expect(chat.messages("visitor")).toHaveCount(1);
  await expect(chat.messages("agent")).toHaveCount(1);
  const shown = await chat.lastReply().locator("p[dir=auto]").textContent();
  expect(shown?.length).toBeGreaterThan(2_000);
  // The text on screen equals the stored text.
  await chat.page.reload();
  await expect(chat.messages("agent")).toHaveCount(1);
  await expect(chat.lastReply().locator("p[dir=auto]")).toHaveText(shown ?? "");
  await expect(chat.messages("visitor")).toHaveCount(1);
}

test("completes a reply once after kill -9 of the channel", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await environment.killChannel("SIGKILL");
  await environment.startChannel();
  await expectOneWholeReply(chat);
});

test("completes a reply once after kill -9 of the shop", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await environment.killShop("SIGKILL");
  await environment.startShop();
  await expectOneWholeReply(chat);
});

test("completes a reply once after a graceful stop of the channel", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await environment.killChannel("SIGTERM");
  await environment.startChannel();
  await expectOneWholeReply(chat);
});

test("completes a reply once after a graceful stop of the shop", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await environment.killShop("SIGTERM");
  await environment.startShop();
  await expectOneWholeReply(chat);
});

test("keeps the shown text without an error after kill -9 of both programs", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  const reply = chat.unfinishedReply;
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
  await expect(chat.messages("visitor")).toHaveCount(1);
  await environment.startChannel();
  await expect(chat.lastReply()).toContainText(read);
  await expect(chat.panel.locator("[data-delivery]")).toHaveCount(0, { timeout: 60_000 });
  expect(await chat.page.evaluate(() => (window as unknown as { notes: string[] }).notes)).toEqual([]);
  await expectOneWholeReply(chat);
});

test("delivers a message once the channel is back", aChat, async ({ chat }) => {
  await chat.open(environment.shopUrl);
  await chat.ask("hello");
  await environment.killChannel("SIGKILL");
  await chat.send("which helmets do you have?");
  await expect(chat.messages("visitor")).toHaveCount(2);
  await environment.startChannel();
  await expect(chat.messages("agent")).toHaveCount(2, { timeout: 60_000 });
  await expect(chat.messages("visitor")).toHaveCount(2);
});
