/** Processes that die in the middle of a reply: the customer sees that reply once, whole, with no press of a button. */
import { aChat, type ChatPage, expect, test } from "../support/chat-page.ts";
import { World } from "../support/world.ts";

// Slow enough that a reply of 200 deltas is still being written when a process is killed and started again.
const pace = { CHANNEL_AGENT_PACE: "30" };

let world: World;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  world = await World.start({ env: pace });
});
test.afterAll(async () => {
  await world.stop();
});
test.describe.configure({ mode: "serial", timeout: 120_000 });

async function openInMidReply(chat: ChatPage): Promise<void> {
  await chat.open(world.shopUrl);
  await chat.send("long answer");
  await expect(chat.panel.locator("[aria-busy=true]")).toContainText(/\w{3}/);
}

async function expectOneWholeReply(chat: ChatPage): Promise<void> {
  await expect(chat.panel.locator("[data-delivery]")).toHaveCount(0, { timeout: 60_000 });
  await expect(chat.panel.locator("[aria-busy=true]")).toHaveCount(0, { timeout: 60_000 });
  await expect(chat.messages("visitor")).toHaveCount(1);
  await expect(chat.messages("agent")).toHaveCount(1);
  const shown = await chat.lastReply().locator("p[dir=auto]").textContent();
  expect(shown?.length).toBeGreaterThan(2_000);
  // What was shown is what is stored.
  await chat.page.reload();
  await expect(chat.messages("agent")).toHaveCount(1);
  await expect(chat.lastReply().locator("p[dir=auto]")).toHaveText(shown ?? "");
  await expect(chat.messages("visitor")).toHaveCount(1);
}

test("#118 kill -9 of the channel in the middle of a reply", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await world.killChannel("SIGKILL");
  await world.startChannel();
  await expectOneWholeReply(chat);
});

test("#119 kill -9 of the shop's server in the middle of a reply", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await world.killShop("SIGKILL");
  await world.startShop();
  await expectOneWholeReply(chat);
});

test("#123 a graceful stop of the channel in the middle of a reply", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await world.killChannel("SIGTERM");
  await world.startChannel();
  await expectOneWholeReply(chat);
});

test("#123 a graceful stop of the shop's server in the middle of a reply", aChat, async ({ chat }) => {
  await openInMidReply(chat);
  await world.killShop("SIGTERM");
  await world.startShop();
  await expectOneWholeReply(chat);
});

test("a message sent while the channel is down is delivered when it is back", aChat, async ({ chat }) => {
  await chat.open(world.shopUrl);
  await chat.ask("hello");
  await world.killChannel("SIGKILL");
  await chat.send("which helmets do you have?");
  await expect(chat.messages("visitor")).toHaveCount(2);
  await world.startChannel();
  await expect(chat.messages("agent")).toHaveCount(2, { timeout: 60_000 });
  await expect(chat.messages("visitor")).toHaveCount(2);
});
