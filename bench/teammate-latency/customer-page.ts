/** A customer in a real browser whose page can be hidden and shown. */
import { randomUUID } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { ChatPage } from "../../e2e/support/chat-page.ts";
import { signIn } from "../../e2e/support/sign-in.ts";
import type { Lab } from "../../testing/lab/lab-client.ts";

const customerId = "maya-okafor";

export class CustomerPage {
  readonly chatId = `latency_${randomUUID()}`;
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Opens the page with a chat that a teammate has claimed. */
  static async open(browser: Browser, shopUrl: string, lab: Lab): Promise<CustomerPage> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(throttleHiddenTimers);
    const customer = new CustomerPage(page);
    await signIn(page, customerId, shopUrl);
    await lab.importChat({
      id: customer.chatId,
      userId: `cust.${customerId}`,
      mode: "waiting",
      handoff: { status: "waiting" },
      messages: [{ role: "visitor", text: "Is it ready?", createdAt: new Date().toISOString() }],
    });
    await page.goto(`${shopUrl}/about?chat=${customer.chatId}`);
    await lab.claim(customer.chatId, "Priya N.");
    await page.getByText("Priya N. has joined the chat.").first().waitFor();
    return customer;
  }

  /** Resolves with the time (`Date.now`) at which a teammate's message with this text is on screen. */
  seen(text: string): Promise<number> {
    return this.#page.evaluate(momentOnScreen, text);
  }

  /**
   * Playwright keeps every page visible and focused, so this overrides the page's visibility. Timers then
   * fire at whole seconds only, as Chromium does in hidden pages.
   */
  setVisibility(state: "visible" | "hidden"): Promise<void> {
    return new ChatPage(this.#page).setVisibility(state);
  }
}

function momentOnScreen(text: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const messages = [...document.querySelectorAll("[data-role=teammate]")];
      if (!messages.some((message) => message.textContent.includes(text))) return;
      observer.disconnect();
      resolve(Date.now());
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    look();
  });
}

function throttleHiddenTimers(): void {
  const setExactly = window.setTimeout.bind(window);
  const second = 1_000;
  const throttled = (handler: TimerHandler, milliseconds = 0, ...parameters: unknown[]): number => {
    if (document.visibilityState === "visible") return setExactly(handler, milliseconds, ...parameters);
    const now = performance.now();
    return setExactly(handler, Math.ceil((now + milliseconds) / second) * second - now, ...parameters);
  };
  Object.assign(window, { setTimeout: throttled });
}
