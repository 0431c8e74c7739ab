/** The chat as a customer uses it in WebKit: real clicks and keys, by the names that screen readers say. */
import { test as base, expect } from "@playwright/test";
import { type Element, keys, WebDriver } from "./web-driver.ts";

export class WebKitChat {
  readonly browser: WebDriver;
  readonly #shop: string;

  constructor(browser: WebDriver, shop: string) {
    this.browser = browser;
    this.#shop = shop;
  }

  async visit(path = "/"): Promise<void> {
    await this.browser.go(this.#shop + path);
    await this.listen();
  }

  /** Records script errors and violations of the content security policy from now on. */
  async listen(): Promise<void> {
    await this.browser.run(() => {
      const complaints: string[] = [];
      Object.assign(window, { complaints });
      addEventListener("error", ({ message }) => complaints.push(message));
      addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
      addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
        complaints.push(violatedDirective),
      );
    });
  }

  complaints(): Promise<string[]> {
    return this.browser.run(() => (window as unknown as { complaints?: string[] }).complaints ?? []);
  }

  async open(path = "/"): Promise<void> {
    await this.visit(path);
    await this.press("Chat with us", "body");
    await this.find("textarea", "Your message");
  }

  /** Waits for the last visible element of this kind whose name contains the text. */
  async find(selector: string, name = "", within = "dialog[open]"): Promise<Element> {
    const look = () =>
      this.browser.run(
        (inside, wanted, text) => {
          const nameOf = (element: HTMLElement) =>
            [
              element.getAttribute("aria-label"),
              element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
                ? [...(element.labels ?? [])].map((label) => label.textContent).join(" ")
                : element.textContent,
            ].join(" ");
          const found = [...document.querySelectorAll<HTMLElement>(`${inside} ${wanted}`)].filter(
            (element) => element.checkVisibility() && nameOf(element).includes(text),
          );
          // The driver serialises an element as a reference.
          return (found.at(-1) ?? null) as unknown as Element | null;
        },
        within,
        selector,
        name,
      );
    let found: Element | null = null;
    await expect(async () => {
      found = await look();
      expect(found, `${selector} named “${name}”`).not.toBeNull();
    }).toPass({ timeout: 10_000 });
    if (found === null) throw new Error(`${selector} named “${name}” disappeared`);
    return found;
  }

  /** The hidden file input behind the button. */
  fileChooser(): Promise<Element> {
    return this.browser.run(
      () => document.querySelector("dialog[open] input[type=file]") as unknown as Element,
    );
  }

  async press(name: string, within = "dialog[open]"): Promise<void> {
    await this.browser.click(await this.find("button", name, within));
  }

  /** The text of the open panel or of an element in it. */
  text(selector = ""): Promise<string> {
    return this.browser.run(
      (wanted) =>
        [...document.querySelectorAll<HTMLElement>(`dialog[open] ${wanted}`)]
          .map((element) => element.textContent)
          .join("\n"),
      selector,
    );
  }

  count(selector: string): Promise<number> {
    return this.browser.run((wanted) => document.querySelectorAll(`dialog[open] ${wanted}`).length, selector);
  }

  async send(text: string): Promise<void> {
    await this.browser.type(await this.find("textarea", "Your message"), text);
    await this.browser.press(keys.enter);
  }

  async settled(): Promise<void> {
    await expect.poll(() => this.count(":is([data-delivery], [aria-busy=true])")).toBe(0);
  }

  async ask(text: string): Promise<void> {
    const before = await this.count("[data-role=agent]");
    await this.send(text);
    await expect.poll(() => this.count("[data-role=agent]")).toBeGreaterThan(before);
    await this.settled();
  }

  /** Starts a chat and returns its ID, for the lab. */
  async start(): Promise<string> {
    await this.open();
    await this.ask("hello");
    return this.chatId();
  }

  async chatId(): Promise<string> {
    const current = await this.browser.run(() => localStorage.getItem("shop-chat:1:guest:current"));
    const { chatId }: { chatId: string } = JSON.parse(current ?? "{}");
    return chatId;
  }

  /** The customer's `userId` in the Chat API. */
  async userId(): Promise<string> {
    const answer: { item: { userId: string } } = await this.browser.run(
      async (id) => (await fetch(`/api/chat/chats/${id}`, { headers: { "X-Chat-Client": "1" } })).json(),
      await this.chatId(),
    );
    return answer.item.userId;
  }

  /** The name of the focused element; empty when the body has the focus. */
  focused(): Promise<string> {
    return this.browser.run(() => {
      const element = document.activeElement;
      if (element === document.body) return "";
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      return element?.getAttribute("aria-label") ?? labels[0]?.textContent ?? element?.textContent ?? "";
    });
  }
}

/** Each journey has its own browser and so its own customer. */
export const test = base.extend<{ chat: WebKitChat }>({
  chat: async ({ baseURL, viewport, colorScheme }, use, testInfo) => {
    if (viewport === null || (colorScheme !== "light" && colorScheme !== "dark"))
      throw new Error("The project sets no viewport.");
    const browser = await WebDriver.start({ ...viewport, scheme: colorScheme });
    try {
      expect(
        await browser.run(() => ({
          width: innerWidth,
          height: innerHeight,
          scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
        })),
      ).toEqual({ ...viewport, scheme: colorScheme });
      const chat = new WebKitChat(browser, baseURL ?? "");
      await use(chat);
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach("screenshot", { body: await browser.screenshot(), contentType: "image/png" });
      } else expect(await chat.complaints()).toEqual([]);
    } finally {
      browser.stop();
    }
  },
});

export { expect };
