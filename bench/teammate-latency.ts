/**
 * How long a teammate's message takes to the customer's screen while 200 chats wait for the team, each of them polled
 * as the chat polls: one real browser, visible, then hidden, then looked at again; the other customers speak HTTP to
 * the same BFF. Needs `npm run build` first.
 */
import { chromium, type Page } from "@playwright/test";
import { pollInterval } from "#lib/conversation/polling.ts";
import { ChatPage } from "../e2e/support/chat-page.ts";
import { lab } from "../e2e/support/team-console.ts";
import { World } from "../e2e/support/world.ts";
import { findOrInstallBrowser } from "../scripts/browser.ts";

const waitingChats = 200;
const rounds = 10;
const visibleInterval = pollInterval({ mode: "waiting", isVisible: true, isBusy: false });

const world = await World.start({ env: { CHANNEL_AGENT_PACE: "0" } });
await lab(world, "limits", { requestsPerMinute: 1_000_000, chatsPerChannel: 10_000, concurrentTurns: 1_000 });
const browser = await chromium.launch({
  executablePath: findOrInstallBrowser(),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
let polling = true;
let polls = 0;
let refusals = 0;
try {
  const customers: Customer[] = [];
  for (let index = 0; index < waitingChats - 1; index += 1) customers.push(await waitingCustomer());
  const pollers = customers.map((customer, index) =>
    poll(customer, (index * visibleInterval) / customers.length),
  );

  const page = await (await browser.newContext()).newPage();
  const chat = new ChatPage(page);
  await chat.open(world.shopUrl);
  await lab(world, "reply", { reply: { text: "I can pass you on.", handoffOffer: true } });
  await chat.ask("a person, please");
  const email = chat.panel.getByLabel("Your e-mail address");
  if ((await email.count()) > 0) await email.fill("maya@example.com");
  await chat.panel.getByRole("button", { name: "Pass me to the team" }).click();
  await chat.panel.getByText(/^Waiting since/).waitFor();
  const chatId = await chatOnScreen(page);
  await team(`chats/${chatId}/claim`, { name: "Priya N." });

  const visible: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    visible.push(await timeToScreen(page, chatId, `visible ${round}`));
  report("visible page", visible);

  const hidden: number[] = [];
  const returned: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await setVisibility(page, "hidden");
    hidden.push(await timeToScreen(page, chatId, `hidden ${round}`));
    await team(`chats/${chatId}/messages`, { text: `returned ${round}` });
    const from = performance.now();
    await setVisibility(page, "visible");
    await chat
      .messages("teammate")
      .filter({ hasText: `returned ${round}` })
      .waitFor({ state: "attached" });
    returned.push(performance.now() - from);
  }
  report("hidden page", hidden);
  report("after the return to the page", returned);

  polling = false;
  await Promise.all(pollers);
  console.log(`${polls} polls of the other chats meanwhile, ${refusals} of them refused`);
} finally {
  await browser.close();
  await world.stop();
}

interface Item {
  id: string;
  reply: { handoffOffer: { confirmationId: string } };
}

interface Customer {
  cookie: string;
  chatId: string;
  cursor: string | null;
}

function headersOf(cookie: string, key?: string): Record<string, string> {
  return {
    cookie,
    "x-chat-client": "1",
    origin: world.shopUrl,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
}

async function bff(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(`${world.shopUrl}/api/${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function waitingCustomer(): Promise<Customer> {
  const session = await bff("session", { method: "POST", headers: headersOf(""), body: "{}" });
  const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${world.shopUrl}/api/${path}`, {
      method: "POST",
      headers: headersOf(cookie, crypto.randomUUID()),
      body: JSON.stringify(body),
    });
    if (answer.status === 429) {
      await answer.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get("retry-after")) * 1_000));
      return null;
    }
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { item: Item }).item;
  };
  const persist = async (path: string, body: object) => {
    for (;;) {
      const item = await post(path, body);
      if (item !== null) return item;
    }
  };
  const { id: chatId } = await persist("chats", {});
  await lab(world, "reply", { chatId, reply: { text: "I can pass you on.", handoffOffer: true } });
  const { reply } = await persist(`chats/${chatId}/messages`, { text: "a person, please" });
  await persist(`chats/${chatId}/handoff`, {
    confirmationId: reply.handoffOffer.confirmationId,
    email: "ann@example.com",
  });
  return { cookie, chatId, cursor: null };
}

/** What an open chat asks for at each look: the chat, and the messages from its last cursor. */
async function poll(customer: Customer, startsAfter: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, startsAfter));
  while (polling) {
    const headers = headersOf(customer.cookie);
    const answers = await Promise.all([
      fetch(`${world.shopUrl}/api/chats/${customer.chatId}`, { headers }),
      fetch(`${world.shopUrl}/api/chats/${customer.chatId}/messages?limit=50`, { headers }),
    ]);
    polls += 1;
    if (answers.some((answer) => !answer.ok)) refusals += 1;
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    await new Promise((resolve) => setTimeout(resolve, visibleInterval));
  }
}

async function team(path: string, body?: object): Promise<Response> {
  const answer = await fetch(`${world.channelUrl}/team/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${world.teamKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** The chat that the page shows: its conversation is the one that the browser remembers as current. */
async function chatOnScreen(page: Page): Promise<string> {
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  const chatId = /chat_[A-Za-z0-9_-]{8,}/.exec(kept)?.[0];
  if (chatId === undefined) throw new Error("the browser remembers no chat");
  return chatId;
}

async function timeToScreen(page: Page, chatId: string, text: string): Promise<number> {
  await team(`chats/${chatId}/messages`, { text });
  const from = performance.now();
  await page
    .locator("[data-role=teammate]")
    .filter({ hasText: text })
    .waitFor({ state: "attached", timeout: 120_000 });
  return performance.now() - from;
}

/** Chromium hides no page without a window system: the page is told so, as it would be by a change of tab. */
async function setVisibility(page: Page, state: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value === "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
    if (value === "visible") window.dispatchEvent(new Event("focus"));
  }, state);
}

function report(what: string, milliseconds: readonly number[]): void {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const seconds = (value = 0) => (value / 1_000).toFixed(2);
  console.log(
    `${what}: ${sorted.length} messages, median ${seconds(sorted[Math.floor(sorted.length / 2)])} s, longest ${seconds(sorted.at(-1))} s`,
  );
}
