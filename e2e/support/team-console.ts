/** The team console as a teammate uses it. */
import { expect, type Locator, type Page } from "@playwright/test";
import { testKeys } from "../../testing/test-keys.ts";
import { violationsOf, wcag } from "./accessibility.ts";

export class TeamConsole {
  readonly page: Page;
  readonly #channelUrl: string;

  constructor(page: Page, channelUrl: string) {
    this.page = page;
    this.#channelUrl = channelUrl;
  }

  /** Sets the teammate's name in this browser. */
  async signAs(name: string): Promise<void> {
    await this.page
      .context()
      .addCookies([{ name: "teammate", value: encodeURIComponent(name), url: this.#channelUrl }]);
  }

  /** Opens a page of the console, such as `/lab`; by default the inbox. Signs in if necessary. */
  async open(path = ""): Promise<void> {
    const url = `${this.#channelUrl}/console${path}`;
    await this.page.goto(url);
    const key = this.page.getByLabel("Team key");
    if ((await key.count()) === 0) return;
    await key.fill(testKeys.teamKey);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await expect(key).toHaveCount(0);
    // Keys that are pressed before the page's script runs reload the page.
    await this.page.waitForLoadState();
  }

  async press(action: "Claim" | "Return to the agent" | "Resolve"): Promise<void> {
    await this.page.getByRole("button", { name: action, exact: true }).click();
    await expect(this.page.getByRole("button", { name: action, exact: true })).toHaveCount(0);
  }

  async reply(text: string): Promise<void> {
    await this.page.locator("#reply").fill(text);
    await this.page.getByRole("button", { name: "Send" }).click();
    await expect(this.messages.filter({ hasText: text })).toBeVisible();
  }

  get messages(): Locator {
    return this.page.locator("#messages > ol > li");
  }

  /** Runs axe, which must find no violation. */
  async expectAccessible(): Promise<void> {
    expect(await violationsOf(this.page, { tags: [...wcag, "best-practice"] })).toEqual([]);
  }
}
