/**
 * Time until a customer sees the first words of an answer: from Enter to the reply's first text on screen, in
 * a real browser, in front of the production build (`npm run build` first) and the embedded channel at the
 * agent's usual pace. Milliseconds, after a warm-up question.
 */
import type { Page } from "@playwright/test";
import { TestEnvironment } from "../testing/processes/test-environment.ts";
import { launchBrowser } from "./support/browser.ts";
import { summary } from "./support/statistics.ts";

const questions = [
  "Do you deliver to Ireland?",
  "Which helmets do you have?",
  "How long do I have to return something?",
];
const rounds = 10;

const environment = await TestEnvironment.start({ env: { CHANNEL_AGENT_PACE: "" } });
const browser = await launchBrowser();
try {
  const first: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // A new customer, so that no session limit is reached.
    const context = await browser.newContext();
    const ask = await openChat(await context.newPage());
    first.push(await ask("hello"));
    for (const question of questions) times.push(await ask(question));
    await context.close();
  }
  console.log(
    `first message of a customer (makes session and chat): ${first.length} times, ${summary(first)}`,
  );
  console.log(`a further message: ${times.length} times, ${summary(times)}`);
} finally {
  await browser.close();
  await environment.stop();
}

/** Opens the chat on the page. The returned function asks a question and waits for the end of the answer. */
async function openChat(page: Page): Promise<(question: string) => Promise<number>> {
  await page.goto(environment.shopUrl);
  await page.getByRole("button", { name: "Chat with us" }).click();
  const panel = page.locator("dialog[open]").first();
  const composer = panel.getByLabel("Your message");

  return async (question) => {
    await composer.fill(question);
    await page.evaluate(() => {
      const state = {
        pressedAt: 0,
        seenAt: 0,
        before: document.querySelectorAll("[data-role=agent] p[dir=auto]").length,
      };
      Object.assign(window, { firstWords: state });
      document.addEventListener("keydown", () => (state.pressedAt = performance.now()), {
        capture: true,
        once: true,
      });
      const observer = new MutationObserver(() => {
        const replies = document.querySelectorAll("[data-role=agent] p[dir=auto]");
        const newest = replies.item(replies.length - 1);
        if (replies.length <= state.before || newest.textContent === "") return;
        state.seenAt = performance.now();
        observer.disconnect();
      });
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await composer.press("Enter");
    const seen = await page.waitForFunction(() => {
      const { firstWords: state } = window as unknown as {
        firstWords: { pressedAt: number; seenAt: number };
      };
      return state.seenAt > 0 ? state.seenAt - state.pressedAt : false;
    });
    const milliseconds = Number(await seen.jsonValue());
    await panel.locator("[data-delivery], [aria-busy=true]").first().waitFor({ state: "detached" });
    return milliseconds;
  };
}
