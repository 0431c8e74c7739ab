/**
 * Fixtures for remedies: a test environment of their own, the customer's page, the lab and a Chat API client.
 */
import { randomUUID } from "node:crypto";
import type { BrowserContext, Locator, Page, Request, Route } from "@playwright/test";
import type { ErrorCode } from "#lib/chat-api/errors.ts";
import type { ChatClient } from "#lib/chat-client/client.ts";
import { type ImportedChat, Lab } from "../../../channel/lab/lab-client.ts";
import { channelClient } from "../../../testing/channel-client.ts";
import { TestEnvironment } from "../../../testing/processes/test-environment.ts";
import { testKeys } from "../../../testing/test-keys.ts";
import { test as base, type ChatPage, expect } from "../../support/chat-page.ts";
import { signIn } from "../../support/sign-in.ts";

export { expect };

/** Used in turn by the tests, because one customer may send only thirty messages a minute. */
const customerIds = ["maya-okafor", "lukas-brandt", "salma-haddad", "kenji-mori"];
let nextCustomer = 0;

/** The customer's text, which must never be lost. */
export const text = "My text that must not get lost";

export interface RemedyFixtures {
  page: Page;
  context: BrowserContext;
  chat: ChatPage;
  customerId: string;
  environment: TestEnvironment;
  lab: Lab;
  /** The Chat API without the BFF. */
  client: ChatClient;
  /** The page's requests for its chat in flight. */
  requests: ReadonlySet<Request>;
}

/** Causes one error code, checks what the customer sees, and follows the remedy. */
export type Journey = (fixtures: RemedyFixtures) => Promise<void>;

export const test = base.extend<{ fixtures: RemedyFixtures }, { environment: TestEnvironment }>({
  environment: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      // Faults, limits and rotated keys would disturb tests in a shared environment.
      const environment = await TestEnvironment.start();
      await use(environment);
      await environment.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ environment }, use) => use(environment.shopUrl),
  fixtures: async ({ page, context, chat, environment }, use) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    // Tests fast-forward countdowns and retries that take minutes.
    await page.clock.install();
    const requests = new Set<Request>();
    page.on("request", (request) => {
      if (paths.chatData.test(request.url())) requests.add(request);
    });
    page.on("requestfinished", (request) => requests.delete(request));
    page.on("requestfailed", (request) => requests.delete(request));
    const lab = new Lab(environment);
    const { hours } = await lab.readAvailability();
    const customerId = customerIds[nextCustomer++ % customerIds.length] ?? "";
    const client = channelClient(environment, { retry: { delay: () => null } });
    await use({ page, context, chat, customerId, environment, lab, client, requests });
    await lab.setHours(hours);
    await lab.resetSwitches();
    await lab.rotateChatKey(testKeys.chatKey);
  },
});

/**
 * Signs in and opens an imported chat with one reply. Waits for the poll that follows the opening, so that
 * the next one is a full interval away.
 */
export async function openChat(
  { page, chat, customerId, lab, environment }: RemedyFixtures,
  imported: Omit<ImportedChat, "userId" | "id"> = {},
): Promise<string> {
  const { id } = await lab.importChat({
    userId: `cust.${customerId}`,
    messages: [{ role: "agent", text: "How can I help?", createdAt: new Date().toISOString() }],
    ...imported,
  });
  await signIn(page, customerId, environment.shopUrl);
  const polled = page.waitForResponse(paths.news);
  await page.goto(`${environment.shopUrl}/about?chat=${id}`);
  await expect(chat.rows.first()).toBeVisible();
  await polled;
  return id;
}

/** Opens the chat as a guest whose chat does not exist yet. */
export async function openNewChat({ chat, environment }: RemedyFixtures): Promise<void> {
  await chat.open(`${environment.shopUrl}/about`);
}

/** Expects a code's note with an explanation and a reference that can be copied. */
export async function expectNote(
  { chat, page }: RemedyFixtures,
  code: ErrorCode,
  says: RegExp,
  scope: Locator = chat.panel,
): Promise<Locator> {
  const note = scope.locator(`[data-code=${code}]`);
  // The note is also an alert in an upload's chip, a form or an offer.
  await expect(note.getByRole("alert")).toContainText(says);
  // The page rejects a malformed link without a request, so there is no reference.
  if (code === "invalid_id") return note;
  await note.getByRole("button", { name: "Details" }).click();
  const reference = note.locator("code");
  await expect(reference).toHaveText(/^req_[\w-]{10,}$/);
  await note.getByRole("button", { name: "Copy the reference" }).click();
  await expect(note.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await reference.textContent());
  return note;
}

/** The refused message stays in the conversation with its whole text. */
export async function expectKept({ chat }: RemedyFixtures, message = text): Promise<void> {
  await expect(chat.panel.locator("[data-delivery=refused]")).toContainText(message);
}

/** Seconds. On a busy machine, a shorter countdown may end before the test has checked the button. */
const longEnoughToSee = 5;

/** Presses the note's button after its countdown. */
export async function press(
  { page }: RemedyFixtures,
  note: Locator,
  name: string,
  waitSeconds = 0,
): Promise<void> {
  const button = note.getByRole("button", { name });
  if (waitSeconds > 0) {
    if (waitSeconds > longEnoughToSee) await expect(button).toBeDisabled();
    await page.clock.fastForward(waitSeconds * 1000);
  }
  await button.click();
}

/**
 * Advances the clock through consecutive retries until the page shows the element. It is not advanced while a
 * request is in flight, which would time out.
 */
export async function fastForwardUntil(
  { page, requests }: RemedyFixtures,
  shown: Locator,
  step = 16_000,
): Promise<void> {
  const advance = async () => {
    if (requests.size === 0) await page.clock.fastForward(step);
    return shown.count();
  };
  await expect.poll(advance, { intervals: [250] }).toBeGreaterThan(0);
}

/** An ended chat explains this in place of the composer and offers a new chat as the only step. */
export async function expectEnd({ chat }: RemedyFixtures, code: ErrorCode, says: RegExp): Promise<Locator> {
  const end = chat.panel.locator(`[data-code=${code}]`);
  await expect(end.getByRole("alert")).toContainText(says);
  await expect(chat.composer).toHaveCount(0);
  await expect(chat.panel.getByRole("button", { name: "New chat" })).toHaveCount(1);
  await expect(chat.panel.getByRole("button", { name: "Edit" })).toHaveCount(0);
  return end;
}

/** The message was stored and answered once, and no error note remains. */
export async function expectDelivered(
  { chat }: RemedyFixtures,
  { answers = 1, message = text } = {},
): Promise<void> {
  await chat.settled();
  const delivered = chat.messages("visitor").filter({ hasText: message });
  await expect(delivered).toHaveCount(1);
  await expect(delivered.locator("[data-code]")).toHaveCount(0);
  const afterwards = chat.panel.locator(`[data-role=visitor]:has-text("${message}") ~ [data-role=agent]`);
  await expect(afterwards).toHaveCount(answers);
}

/** Sends the draft, which must be in the composer of a new, empty chat. */
export async function sendDraftInNewChat({ chat }: RemedyFixtures): Promise<void> {
  await expect(chat.composer).toHaveValue(text);
  await expect(chat.rows).toHaveCount(0);
  await chat.sendButton.click();
}

/** Routes the next request to this path through `handle`. Later requests pass unchanged. */
export async function intercept(
  { page }: RemedyFixtures,
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
  session: /\/api\/chat\/session$/,
  chats: /\/api\/chat\/chats$/,
  messages: /\/api\/chat\/chats\/[^/]+\/messages$/,
  collection: /\/api\/chat\/chats\/[^/]+\/collection$/,
  news: /\/api\/chat\/chats\/[^/]+\/messages\/news\?/,
  chatData: /\/api\/chat\/chats\/[^/]+/,
} as const;

export const newKey = (): string => randomUUID();

/** Sends and runs a check with the clock paused, for states that the page leaves by itself. */
export async function sendAndCheck(
  { chat, page }: RemedyFixtures,
  check: () => Promise<void>,
): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 5_000));
  await chat.send(text);
  await check();
  await page.clock.resume();
}

/**
 * Applies `change` so that the page does not notice it before the response to the write that `press` causes:
 * waits for the page's reads in flight, and holds later reads until then.
 */
export async function changeUnnoticed(
  { page, requests }: RemedyFixtures,
  change: () => Promise<unknown>,
  press: () => Promise<void>,
): Promise<void> {
  const held = new Set<Request>();
  const answered = Promise.withResolvers<void>();
  const hold = async (route: Route, request: Request) => {
    if (request.method() === "GET") {
      held.add(request);
      await answered.promise;
    }
    await route.fallback();
  };
  await page.route(paths.chatData, hold);
  await expect
    .poll(() =>
      [...requests]
        .filter((request) => request.method() === "GET" && !held.has(request))
        .map((request) => request.url()),
    )
    .toEqual([]);
  await change();
  const written = page.waitForResponse(
    (response) => response.request().method() === "POST" && paths.chatData.test(response.url()),
  );
  await press();
  await written;
  answered.resolve();
  await page.unroute(paths.chatData, hold);
}
