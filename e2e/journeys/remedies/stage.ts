/** What a remedy's journey plays on: a world of its own, a customer with an open chat, and the hands behind the scenes. */
import { randomUUID } from "node:crypto";
import type { BrowserContext, Locator, Page, Request, Route } from "@playwright/test";
import type { ErrorCode } from "#lib/chat-api/errors.ts";
import type { ChatClient } from "#lib/chat-client/client.ts";
import { channelClient, type ImportedChat, type Lab, labOf, resetLab } from "../../support/channel-hands.ts";
import { test as base, type ChatPage, expect } from "../../support/chat-page.ts";
import { signIn } from "../../support/sign-in.ts";
import { World } from "../../support/world.ts";

export { expect };

const customerId = "maya-okafor";
const userId = `cust.${customerId}`;

/** What the customer wants to say. It may never be lost. */
export const text = "My text that must not get lost";

export interface Stage {
  page: Page;
  context: BrowserContext;
  chat: ChatPage;
  world: World;
  lab: Lab;
  /** The Chat API without the BFF. */
  client: ChatClient;
  /** What the page has begun to read and has not got yet. */
  reads: ReadonlySet<Request>;
}

/** How one code comes about, what the customer sees of it, and how they get out of it. */
export type Journey = (stage: Stage) => Promise<void>;

export const test = base.extend<{ stage: Stage }, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      // Faults, limits and rotated keys would disturb the tests that share a world.
      const world = await World.start();
      await use(world);
      await world.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ world }, use) => use(world.shopUrl),
  stage: async ({ page, context, chat, world }, use) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    // Countdowns and patience of minutes pass by command.
    await page.clock.install();
    const reads = new Set<Request>();
    page.on("request", (request) => {
      if (request.method() === "GET" && paths.chatData.test(request.url())) reads.add(request);
    });
    page.on("requestfinished", (request) => reads.delete(request));
    page.on("requestfailed", (request) => reads.delete(request));
    const lab = labOf(world);
    const { hours } = await lab.readAvailability();
    await use({ page, context, chat, world, lab, client: channelClient(world), reads });
    await resetLab(lab, hours);
  },
});

/**
 * Signs in without a page of the shop, and opens a chat of the customer's that has one answer in it. The page looks for
 * news right after it has opened a chat: that look is over, and the next one is as far away as in a chat at rest.
 */
export async function openChat(
  { page, chat, lab, world }: Stage,
  imported: Omit<ImportedChat, "userId" | "id"> = {},
): Promise<string> {
  const { id } = await lab.importChat({
    userId,
    messages: [{ role: "agent", text: "How can I help?", createdAt: new Date().toISOString() }],
    ...imported,
  });
  await signIn(page, customerId, world.shopUrl);
  const looked = page.waitForResponse(paths.news);
  await page.goto(`${world.shopUrl}/about?chat=${id}`);
  await expect(chat.rows.first()).toBeVisible();
  await looked;
  return id;
}

/** A customer who has not signed in and whose chat does not exist yet. */
export async function openNewChat({ chat, world }: Stage): Promise<void> {
  await chat.open(`${world.shopUrl}/about`);
}

/** The note about a code: what happened, with a reference that can be copied. */
export async function expectNote(
  { chat, page }: Stage,
  code: ErrorCode,
  says: RegExp,
  scope: Locator = chat.panel,
): Promise<Locator> {
  const note = scope.locator(`[data-code=${code}]`);
  await expect(note).toContainText(says);
  // The browser itself sees that a link is none: there was no request to name.
  if (code === "invalid_id") return note;
  const reference = note.locator("code");
  await expect(reference).toHaveText(/^req_[\w-]{10,}$/);
  await note.getByRole("button", { name: "Copy the reference" }).click();
  await expect(note.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await reference.textContent());
  return note;
}

/** The refused message stands in the conversation, whole. */
export async function expectKept({ chat }: Stage): Promise<void> {
  await expect(chat.panel.locator("[data-delivery=refused]")).toContainText(text);
}

/** Shorter waits may be over before a test on a busy machine has looked. */
const longEnoughToSee = 5;

/** Presses the note's button, after the time that it asks for. */
export async function press({ page }: Stage, note: Locator, name: string, waitSeconds = 0): Promise<void> {
  const button = note.getByRole("button", { name });
  if (waitSeconds > 0) {
    if (waitSeconds > longEnoughToSee) await expect(button).toBeDisabled();
    await page.clock.fastForward(waitSeconds * 1000);
  }
  await button.click();
}

/** The message was stored once and answered once, and nothing is left of the fault. */
export async function expectDelivered({ chat }: Stage, answers = 1): Promise<void> {
  await chat.settled();
  await expect(chat.messages("visitor").filter({ hasText: text })).toHaveCount(1);
  await expect(chat.messages("visitor").filter({ hasText: text }).locator("[data-code]")).toHaveCount(0);
  const afterwards = chat.panel.locator(`[data-role=visitor]:has-text("${text}") ~ [data-role=agent]`);
  await expect(afterwards).toHaveCount(answers);
}

/** In a new, empty chat the composer holds what was typed. */
export async function expectNewChatWithDraft({ chat }: Stage): Promise<void> {
  await expect(chat.composer).toHaveValue(text);
  await expect(chat.rows).toHaveCount(0);
  await chat.sendButton.click();
}

/** The next request to this path goes through these hands. Later ones go on as they are. */
export async function intercept(
  { page }: Stage,
  method: string,
  path: RegExp,
  handle: (route: Route, request: Request) => Promise<void>,
): Promise<void> {
  let isDone = false;
  await page.route(path, async (route, request) => {
    if (isDone || request.method() !== method) return route.fallback();
    isDone = true;
    await handle(route, request);
  });
}

export const paths = {
  chats: /\/api\/chats$/,
  messages: /\/api\/chats\/[^/]+\/messages$/,
  collection: /\/api\/chats\/[^/]+\/collection$/,
  news: /\/api\/chats\/[^/]+\/messages\?/,
  chatData: /\/api\/chats\/[^/]+/,
} as const;

export const newKey = (): string => randomUUID();

/** Sends, and looks at a state that the page would leave by itself after a moment: its time stands still meanwhile. */
export async function sendAndSee({ chat, page }: Stage, look: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 5_000));
  await chat.send(text);
  await look();
  await page.clock.resume();
}

/**
 * Something changes that the page does not know of when the customer presses: what it has begun to read has come
 * before, and what it reads from then on gets through after the press.
 */
export async function unnoticed(
  { page, reads }: Stage,
  change: () => Promise<unknown>,
  press: () => Promise<void>,
): Promise<void> {
  const held = new Set<Request>();
  const pressed = Promise.withResolvers<void>();
  const hold = async (route: Route, request: Request) => {
    if (request.method() === "GET") {
      held.add(request);
      await pressed.promise;
    }
    await route.fallback();
  };
  await page.route(paths.chatData, hold);
  await expect
    .poll(() => [...reads].filter((request) => !held.has(request)).map((request) => request.url()))
    .toEqual([]);
  await change();
  await press();
  pressed.resolve();
  await page.unroute(paths.chatData, hold);
}
