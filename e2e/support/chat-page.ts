/** The chat on the real page, by roles and labels, as a customer uses it. */

import type { APIResponse, Route } from "@playwright/test";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { violationsOf, wcag } from "./accessibility.ts";
import { noMoreChats, note, reasonForNoChat } from "./live-run.ts";

type Attachment = Exclude<Parameters<Locator["setInputFiles"]>[0], string | readonly unknown[]>;

export class ChatPage {
  readonly page: Page;
  readonly launcher: Locator;
  readonly panel: Locator;
  readonly composer: Locator;
  /** Every message, with its notes and cards. */
  readonly rows: Locator;

  /** `panel` is given where the chat is a part of the page. */
  constructor(page: Page, panel = page.locator("dialog[open]").first()) {
    this.page = page;
    this.launcher = page.getByRole("button", { name: "Chat with us" });
    this.panel = panel;
    this.composer = this.panel.getByLabel("Your message");
    this.rows = this.panel.locator("[data-role]");
  }

  async open(path = "/about"): Promise<void> {
    await this.page.goto(path);
    await this.launcher.click();
    await expect(this.composer).toBeEditable();
  }

  /** The composer's button: a form in the conversation has its own. */
  get sendButton(): Locator {
    return this.panel
      .locator("form")
      .filter({ has: this.page.getByLabel("Your message") })
      .getByRole("button", { name: "Send", exact: true });
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.sendButton.click();
  }

  /** Chooses files with the composer's button. */
  async attach(...files: Attachment[]): Promise<void> {
    await this.panel.locator("input[type=file]").first().setInputFiles(files);
  }

  /** Holds back the page's requests to these addresses until the returned function is called. */
  async hold(address: string): Promise<() => void> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await this.page.route(address, async (route) => {
      await released;
      await route.continue();
    });
    return release;
  }

  /** Presses an entry of the panel's menu. */
  async choose(entry: string): Promise<void> {
    await this.panel.getByRole("button", { name: "More", exact: true }).click();
    await this.page.getByRole("menuitem", { name: entry }).click();
  }

  /** Scrolls to the end of the list. Within the latest message it says that there is more below. */
  get jumpButton(): Locator {
    return this.panel.getByRole("button", { name: /Jump to the latest message|^More below$/ });
  }

  /** The reply that is being written. */
  get unfinishedReply(): Locator {
    return this.panel.locator("[aria-busy=true]");
  }

  /** Sends a message and waits for the finished reply. */
  async ask(text: string): Promise<Locator> {
    await this.send(text);
    await this.settled();
    return this.lastReply();
  }

  /** Waits until no message is being sent and no reply is being written. */
  async settled(): Promise<void> {
    await expect(this.panel.locator("[data-delivery]")).toHaveCount(0);
    await expect(this.panel.locator("[aria-busy=true]")).toHaveCount(0);
  }

  /** Starts a chat and returns its ID, for the lab. */
  async start(path = "/about"): Promise<string> {
    await this.open(path);
    await this.ask("hello");
    return this.chatId();
  }

  async chatId(): Promise<string> {
    const current = await this.page.evaluate(() => {
      const owner = localStorage.getItem("shop-chat:1:owner") ?? "guest";
      return localStorage.getItem(`shop-chat:1:${owner}:current`);
    });
    const { chatId }: { chatId: string } = JSON.parse(current ?? "{}");
    return chatId;
  }

  /** The customer's `userId` in the Chat API. */
  async userId(): Promise<string> {
    const chatId = await this.chatId();
    const answer: { item: { userId: string } } = await this.page.evaluate(
      async (id) => (await fetch(`/api/chat/chats/${id}`, { headers: { "X-Chat-Client": "1" } })).json(),
      chatId,
    );
    return answer.item.userId;
  }

  messages(role: "visitor" | "agent" | "teammate"): Locator {
    return this.panel.locator(`[data-role=${role}]`);
  }

  /** The agent's messages after the customer's first one: a channel may greet before it. */
  get answers(): Locator {
    return this.panel.locator("[data-role=visitor] ~ [data-role=agent]");
  }

  /** Records a live region from now on. The returned function resolves with all its announcements so far. */
  async announcements(tone: "polite" | "urgent" = "polite"): Promise<() => Promise<string[]>> {
    await this.page.evaluate(recordAnnouncements, tone);
    return () => this.page.evaluate(heardAnnouncements);
  }

  /** Simulates a change of tab: Chromium without a window system never hides a page. */
  async setVisibility(state: "visible" | "hidden"): Promise<void> {
    await this.page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
      Object.defineProperty(document, "hidden", { configurable: true, get: () => value === "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  }

  lastReply(): Locator {
    return this.messages("agent").last();
  }

  /** Runs axe, which must find no violation. */
  async expectAccessible(): Promise<void> {
    const found = [
      ...(await violationsOf(this.page, { tags: wcag })),
      ...(await violationsOf(this.page, { tags: ["best-practice"], within: "dialog[open]" })),
    ];
    expect(found).toEqual([]);
  }
}

/**
 * A journey that holds for any channel, and the number of chats that it creates. `npm run test:live` runs it,
 * adds the numbers up and shows the cost to the shop's plan before it starts; a journey that creates more
 * fails. The other journeys need the lab, the demo's agent or a refusal by the test.
 */
export const chats = (count: number) =>
  ({ tag: "@live", annotation: { type: "chats", description: String(count) } }) as const;
export const aChat = chats(1);

/** Set by `npm run test:live`: the live channel's plan may run out, and its key may be revoked. */
const isLive = process.env["E2E_LIVE"] === "1";

async function servesCustomers(baseURL: string | undefined): Promise<boolean> {
  return (await fetch(new URL("/api/chat/health/ready", baseURL))).ok;
}

export interface ChatTestOptions {
  /** Runs axe at the end of each journey whose panel is open. */
  checkAccessibilityAtEnd: boolean;
  /** A console warning of a script fails the test, too. */
  failOnWarnings: boolean;
}

/** The browser itself logs failed requests; the journeys check how the chat handles them. */
const browserMessage = /^Failed to load resource/;

/**
 * A test fails when one of its tabs reports a script error, an unhandled rejection, a console error or a
 * violation of the content security policy.
 */
export const test = base.extend<ChatTestOptions & { chat: ChatPage; complaints: string[]; plan: undefined }>({
  checkAccessibilityAtEnd: [false, { option: true }],
  failOnWarnings: [false, { option: true }],
  plan: [
    async ({ context, baseURL }, use, testInfo) => {
      const said = testInfo.annotations.find(({ type }) => type === "chats")?.description ?? "0";
      const reason = reasonForNoChat();
      testInfo.skip(said !== "0" && reason !== undefined, reason);
      let created = 0;
      let planEnded = false;
      /** Refusals by the test in the channel's place, by `page.route`. */
      const answeredByTest: string[] = [];
      context.on("response", async (response) => {
        const { pathname } = new URL(response.url());
        const isWrite = response.request().method() === "POST";
        if (isWrite && response.status() === 201 && pathname === "/api/chat/chats") {
          created += 1;
          note("chat created");
        }
        if (!isLive || response.status() < 400 || !pathname.startsWith("/api/chat/")) return;
        // A fulfilled route has no server.
        if ((await response.serverAddr()) === null) {
          answeredByTest.push(`${response.status()} ${pathname}`);
          return;
        }
        if (response.status() !== 429) return;
        // A browser that has read a body may have dropped it. Chats are created too rarely for a rate limit.
        const unread = pathname === "/api/chat/chats" ? "chat_limit_reached" : "";
        if (!(await response.text().catch(() => unread)).includes("chat_limit_reached")) return;
        planEnded = true;
        note("plan ended");
        // Without a chat the journey would only wait for its timeout.
        await context.close({ reason: noMoreChats });
      });
      await use(undefined);
      const hasFailed = testInfo.status !== testInfo.expectedStatus;
      testInfo.fail(planEnded && hasFailed, noMoreChats);
      if (isLive && hasFailed && !planEnded && !(await servesCustomers(baseURL))) note("not served");
      expect(answeredByTest, "a journey that answers in the channel's place has no tag @live").toEqual([]);
      if (!testInfo.tags.includes("@live")) return;
      expect(
        created,
        "chats created, at most as many as the annotation `chats` declares",
      ).toBeLessThanOrEqual(Number(said));
    },
    { auto: true },
  ],
  complaints: [
    async ({ context, failOnWarnings }, use) => {
      const complaints: string[] = [];
      context.on("weberror", (failure) => {
        const text = String(failure.error());
        if (!browserMessage.test(text)) complaints.push(text);
      });
      context.on("console", (message) => {
        // The browser's own warnings have no arguments and concern loading speed.
        const isWarning = failOnWarnings && message.type() === "warning" && message.args().length > 0;
        if (isWarning || (message.type() === "error" && !browserMessage.test(message.text())))
          complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  chat: async ({ page, checkAccessibilityAtEnd }, use, testInfo) => {
    const chat = new ChatPage(page);
    await use(chat);
    const hasPassed = testInfo.status === testInfo.expectedStatus;
    if (checkAccessibilityAtEnd && hasPassed && !page.isClosed() && (await chat.panel.count()) > 0)
      await chat.expectAccessible();
    // A routed request may still be in flight when its tab closes, which is no error.
    for (const tab of page.context().pages()) await tab.unrouteAll({ behavior: "ignoreErrors" });
  },
});

export { expect };

/** Sends a route's request to the server and returns the response. */
export function responseTo(route: Route, changes: Parameters<Route["fetch"]>[0] = {}): Promise<APIResponse> {
  // The server may just have closed the idle connection that Playwright takes.
  return route.fetch({ ...changes, maxRetries: 3 });
}

/** Functions for a page, which record what a live region announces. */

export function recordAnnouncements(tone: "polite" | "urgent"): void {
  const region = document.querySelector(`[data-announcements="${tone}"]`);
  const heard: string[] = [];
  Object.assign(window, { heard });
  if (region === null) throw new Error("the live region must exist before its first announcement");
  new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}

export function heardAnnouncements(): string[] {
  return (window as unknown as { heard: string[] }).heard;
}
