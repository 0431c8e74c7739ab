/** A customer who waits for an answer sends the same words again. Both messages are stored, each once. */
import type { Request, Route } from "@playwright/test";
import { connectionWaits } from "#lib/engine/limits.ts";
import { type ChatPage, expect, test } from "../support/chat-page.ts";

const words = "Hello?";
/** Between attempts while the server cannot be reached, in milliseconds. */
const longestPause = Math.max(...connectionWaits);

/** Answers in the server's place. */
const answerWith = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { code, message: "", requestId: "req_1" } } });

/** How attempts fail until the fault ends. */
const faults = {
  "lost answers": { fail: (route: Route) => route.abort(), attempts: 1, isOutage: false },
  internal_error: { fail: answerWith(500, "internal_error"), attempts: 3, isOutage: false },
  operation_interrupted: { fail: answerWith(409, "operation_interrupted"), attempts: 1, isOutage: false },
  "an outage of four minutes": { fail: (route: Route) => route.abort(), attempts: Infinity, isOutage: true },
};

/**
 * Lets time pass in the page until the condition holds, and presses what the chat offers. Time does not pass
 * while a request is in flight, which would time out.
 */
async function waitFor(
  { page, panel }: ChatPage,
  requests: ReadonlySet<Request>,
  isDone: () => Promise<boolean>,
  stepMilliseconds = 1_000,
): Promise<void> {
  const button = panel.getByRole("button", { name: /^(Try again|Ask again)/ });
  const step = async () => {
    if (requests.size === 0) await page.clock.fastForward(stepMilliseconds);
    if ((await button.count()) > 0 && (await button.last().isEnabled())) await button.last().click();
    return isDone();
  };
  // Faster polls would meet the rate limit. Only the test's own time limit ends them.
  await expect.poll(step, { timeout: 0, intervals: [250] }).toBe(true);
}

for (const gap of [150, 2_500]) {
  for (const [name, { fail, attempts, isOutage }] of Object.entries(faults)) {
    test(`delivers two equal messages sent ${gap} ms apart: ${name}`, { tag: "@ours" }, async ({
      chat,
      page,
    }) => {
      await page.clock.install();
      await chat.start();
      const attempted = new Map<string, number>();
      const requests = new Set<Request>();
      page.on("request", (request) => request.url().includes("/api/chat/") && requests.add(request));
      page.on("requestfinished", (request) => requests.delete(request));
      page.on("requestfailed", (request) => requests.delete(request));
      let isFailing = true;
      await page.route("**/api/chat/chats/**", async (route) => {
        const request = route.request();
        const key = request.headers()["idempotency-key"];
        if (!isFailing) return route.continue();
        if (request.method() !== "POST" || key === undefined)
          return isOutage ? route.abort() : route.continue();
        const count = (attempted.get(key) ?? 0) + 1;
        attempted.set(key, count);
        // A third key is a message that the customer sends again.
        if (count > attempts || [...attempted.keys()].indexOf(key) > 1) return route.continue();
        // The first message is stored in spite of the fault, the second one is not.
        if (attempted.size === 1 && count === 1) await route.fetch();
        await fail(route);
      });
      await chat.send(words);
      await page.clock.fastForward(gap);
      await chat.send(words);
      if (isOutage) {
        await page.clock.fastForward(4 * 60_000);
        // The first message is attempted for two minutes before it makes way for the second one.
        const isRepeated = async () => attempted.size === 2 && Math.min(...attempted.values()) > 3;
        await waitFor(chat, requests, isRepeated, longestPause);
        isFailing = false;
      }
      const rows = chat.messages("visitor").filter({ hasText: words });
      const isSettled = async () => (await chat.panel.locator("[data-delivery], [data-code]").count()) === 0;
      await waitFor(chat, requests, async () => (await isSettled()) && (await rows.count()) === 2);
      await page.reload();
      await expect(rows).toHaveCount(2);
      await expect(chat.panel.locator("[data-delivery]")).toHaveCount(0);
    });
  }
}
