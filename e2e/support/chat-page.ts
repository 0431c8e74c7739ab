/** The chat as a customer uses it: by roles and labels, on the real page. */
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { noMoreChats, note, reasonForNoChat } from "./live-run.ts";

export class ChatPage {
  readonly page: Page;
  readonly launcher: Locator;
  readonly panel: Locator;
  readonly composer: Locator;
  /** Every message, with its notes and cards. */
  readonly rows: Locator;

  constructor(page: Page) {
    this.page = page;
    this.launcher = page.getByRole("button", { name: "Chat with us" });
    this.panel = page.locator("dialog[open]").first();
    this.composer = this.panel.getByLabel("Your message");
    this.rows = this.panel.locator("[data-role]");
  }

  async open(path = "/"): Promise<void> {
    await this.page.goto(path);
    await this.launcher.click();
    await expect(this.composer).toBeEditable();
  }

  /** Of the composer: a form in the conversation has its own. */
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

  /** Sends and waits for the finished answer. */
  async ask(text: string): Promise<Locator> {
    await this.send(text);
    await this.settled();
    return this.lastReply();
  }

  /** Nothing is on its way any more, in either direction. */
  async settled(): Promise<void> {
    await expect(this.panel.locator("[data-delivery]")).toHaveCount(0);
    await expect(this.panel.locator("[aria-busy=true]")).toHaveCount(0);
  }

  /** Starts a chat and tells its ID, for the lab. */
  async start(path = "/"): Promise<string> {
    await this.open(path);
    await this.ask("hello");
    return this.chatId();
  }

  async chatId(): Promise<string> {
    const current = await this.page.evaluate(() => localStorage.getItem("shop-chat:1:guest:current"));
    const { chatId }: { chatId: string } = JSON.parse(current ?? "{}");
    return chatId;
  }

  /** Whose chats these are, as the Chat API knows them. */
  async userId(): Promise<string> {
    const chatId = await this.chatId();
    const answer: { item: { userId: string } } = await this.page.evaluate(
      async (id) => (await fetch(`/api/chats/${id}`, { headers: { "X-Chat-Client": "1" } })).json(),
      chatId,
    );
    return answer.item.userId;
  }

  messages(role: "visitor" | "agent" | "teammate"): Locator {
    return this.panel.locator(`[data-role=${role}]`);
  }

  /** What the agent said since the customer's first message: a channel may greet before it. */
  get answers(): Locator {
    return this.panel.locator("[data-role=visitor] ~ [data-role=agent]");
  }

  /** From now on, what is said politely to screen readers; call the result for all of it so far. */
  async announcements(tone: "polite" | "urgent" = "polite"): Promise<() => Promise<string[]>> {
    await this.page.evaluate((kind) => {
      const region = document.querySelector(`[data-announcements="${kind}"]`);
      const heard: string[] = [];
      Object.assign(window, { heard });
      if (region === null) throw new Error("the live region is not there before it is used");
      new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    }, tone);
    return () => this.page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  }

  lastReply(): Locator {
    return this.messages("agent").last();
  }

  /** Automatic checks of accessibility: none may fail. */
  async expectAccessible(): Promise<void> {
    if (endsUnderAxe(this.page)) return;
    await animationsFinished(this.page);
    const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const page = await new AxeBuilder({ page: this.page }).withTags(standard).analyze();
    const panel = await new AxeBuilder({ page: this.page })
      .include("dialog[open]")
      .withTags([...standard, "best-practice"])
      .analyze();
    const found = [...page.violations, ...panel.violations].map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
    );
    expect(found).toEqual([]);
  }
}

/**
 * Axe ends a page's process in Firefox now and then (its rule `target-size` about every second time in Firefox 153): the
 * same pages are checked in Chromium.
 */
export function endsUnderAxe(page: Page): boolean {
  return page.context().browser()?.browserType().name() === "firefox";
}

/** Elements that are moving have no colours to measure. An animation that is cancelled moves nothing any more, either. */
export function animationsFinished(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))),
  );
}

/** As the pages' own styles are told it. */
function lookOf(page: Page): Promise<{ width: number; scheme: "light" | "dark" }> {
  return page.evaluate(() => ({
    width: innerWidth,
    scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  }));
}

/**
 * The journey creates a chat, or that many. `npm run test:live` adds them up and says how many a shop's plan will pay
 * for; a journey that says too few fails there.
 */
export const chats = (count: number) =>
  ({ annotation: { type: "chats", description: String(count) } }) as const;
export const aChat = chats(1);

/** By `npm run test:live`, against a channel whose shop has a plan and whose key may be withdrawn. */
const isLive = process.env["E2E_LIVE"] === "1";

async function servesCustomers(baseURL: string | undefined): Promise<boolean> {
  return (await fetch(new URL("/api/health/ready", baseURL))).ok;
}

export interface ChatTestOptions {
  /** What is on screen when the journey ends is looked at by the automatic rules, where the panel is open. */
  endsAccessible: boolean;
  /** The browser is asked first whether it has the width and the scheme of the project. */
  provesLook: boolean;
  /** A script's warning is a complaint, too. */
  mindsWarnings: boolean;
}

/**
 * A refused request is noted by the browser itself; the journeys look at what the chat makes of it. Firefox calls it an
 * error that a font was still on its way when the page was left (NS_BINDING_ABORTED).
 */
const noteOfBrowser = /^(Failed to load resource|downloadable font: .* status=2152398850 )/;

/**
 * A test that fails when one of its tabs complains: script errors, rejections that nobody handles, console errors,
 * breaches of the content policy.
 */
export const test = base.extend<ChatTestOptions & { chat: ChatPage; complaints: string[]; plan: undefined }>({
  endsAccessible: [false, { option: true }],
  provesLook: [false, { option: true }],
  mindsWarnings: [false, { option: true }],
  plan: [
    async ({ context, baseURL }, use, testInfo) => {
      const said = testInfo.annotations.find(({ type }) => type === "chats")?.description ?? "0";
      const reason = reasonForNoChat();
      testInfo.skip(said !== "0" && reason !== undefined, reason);
      let created = 0;
      let planEnded = false;
      context.on("response", async (response) => {
        const isWrite = response.request().method() === "POST";
        if (isWrite && response.status() === 201 && new URL(response.url()).pathname === "/api/chats") {
          created += 1;
          note("chat created");
        }
        if (!isLive || response.status() !== 429 || !(await response.text()).includes("chat_limit_reached"))
          return;
        planEnded = true;
        note("plan ended");
        // The journey would wait for what cannot come.
        await context.close({ reason: noMoreChats });
      });
      await use(undefined);
      const hasFailed = testInfo.status !== testInfo.expectedStatus;
      testInfo.fail(planEnded && hasFailed, noMoreChats);
      if (isLive && hasFailed && !planEnded && !(await servesCustomers(baseURL))) note("not served");
      if (testInfo.tags.length > 0) return;
      expect(created, "chats created, which the annotation `chats` must say").toBeLessThanOrEqual(
        Number(said),
      );
    },
    { auto: true },
  ],
  complaints: [
    async ({ context, mindsWarnings }, use) => {
      const complaints: string[] = [];
      context.on("weberror", (failure) => {
        const text = String(failure.error());
        if (!noteOfBrowser.test(text)) complaints.push(text);
      });
      context.on("console", (message) => {
        // Those that the browser itself gives are about how fast the page loads.
        const isWarning = mindsWarnings && message.type() === "warning" && message.args().length > 0;
        if (isWarning || (message.type() === "error" && !noteOfBrowser.test(message.text())))
          complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  chat: async ({ page, viewport, colorScheme, endsAccessible, provesLook }, use, testInfo) => {
    const chat = new ChatPage(page);
    if (provesLook) expect(await lookOf(page)).toEqual({ width: viewport?.width, scheme: colorScheme });
    await use(chat);
    const hasPassed = testInfo.status === testInfo.expectedStatus;
    if (endsAccessible && hasPassed && !page.isClosed() && (await chat.panel.count()) > 0)
      await chat.expectAccessible();
    // A request that the journey answers itself may still be under way: the end of its tab is no fault.
    for (const tab of page.context().pages()) await tab.unrouteAll({ behavior: "ignoreErrors" });
  },
});

export { expect };
