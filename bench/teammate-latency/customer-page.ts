/** A customer in a real browser, whose page can be hidden and looked at again. */
import { randomUUID } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import type { Lab } from "../../e2e/support/channel-hands.ts";
import { signIn } from "../../e2e/support/sign-in.ts";

const customerId = "maya-okafor";

export class CustomerPage {
  readonly chatId = `latency_${randomUUID()}`;
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** The chat is with a teammate, and open on the page. */
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

  /** The moment at which a teammate's message of this text is on the screen. Milliseconds since 1970. */
  seen(text: string): Promise<number> {
    return this.#page.evaluate(momentOnScreen, text);
  }

  /**
   * Playwright keeps every page visible and focused. The page is told otherwise, as it would be by a change of tab; its
   * timers then come at whole seconds only, which is what Chromium does to pages that are not seen.
   */
  async setVisibility(state: "visible" | "hidden"): Promise<void> {
    await this.#page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
      Object.defineProperty(document, "hidden", { configurable: true, get: () => value === "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
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
