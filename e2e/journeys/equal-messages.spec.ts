/** A customer who waits for an answer sends the same words again. Both messages are stored, each once. */
import type { Request, Route } from "@playwright/test";
import { type ChatPage, expect, test } from "../support/chat-page.ts";

const words = "Hello?";

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
): Promise<void> {
  const button = panel.getByRole("button", { name: /^(Try again|Ask again)/ });
  const step = async () => {
    if (requests.size === 0) await page.clock.fastForward(1_000);
    if ((await button.count()) > 0 && (await button.last().isEnabled())) await button.last().click();
    return isDone();
  };
  // Faster polls would meet the rate limit.
  await expect.poll(step, { timeout: 60_000, intervals: [250] }).toBe(true);
}

// `npm test` leaves the shorter pause to `node scripts/test-browser.ts viewports`.
for (const [gap, tag] of [
  [150, ["@ours", "@viewports"]],
  [2_500, ["@ours"]],
] as const) {
  for (const [name, { fail, attempts, isOutage }] of Object.entries(faults)) {
    test(`delivers two equal messages sent ${gap} ms apart: ${name}`, { tag: [...tag] }, async ({
      chat,
      page,
    }) => {
      test.slow();
      await page.clock.install();
      await chat.start();
      const sent = new Map<string, number>();
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
        const count = (sent.get(key) ?? 0) + 1;
        sent.set(key, count);
        // A third key is a message that the customer sends again.
        if (count > attempts || [...sent.keys()].indexOf(key) > 1) return route.continue();
        // The first message is stored in spite of the fault, the second one is not.
        if (sent.size === 1 && count === 1) await route.fetch();
        await fail(route);
      });
      await chat.send(words);
      await page.clock.fastForward(gap);
      await chat.send(words);
      if (isOutage) {
        await page.clock.fastForward(4 * 60_000);
        await waitFor(chat, requests, async () => sent.size === 2 && Math.min(...sent.values()) > 3);
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
