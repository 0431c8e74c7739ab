/**
 * `npm run bench -- long-chat`: the time and the requests until the end of a chat of 2,300 messages is on
 * screen, in a real browser in front of the production build (`npm run build` first).
 */
import type { Page } from "@playwright/test";
import { signIn } from "../e2e/support/sign-in.ts";
import { longHistory } from "../scripts/demo-seed/long-chat.ts";
import { Lab } from "../testing/lab/lab-client.ts";
import { load } from "./support/machine.ts";
import { summary } from "./support/statistics.ts";
import { withShop } from "./support/with-shop.ts";

const rounds = 5;

interface Visit {
  milliseconds: number;
  requests: number;
}

await withShop(async (browser, environment) => {
  const { shopUrl } = environment;
  const long = longHistory.chat({ now: new Date(), shopOrigin: shopUrl });
  const short = { ...long, messages: long.messages?.slice(-2) ?? [] };
  const lab = new Lab(environment);
  const importChat = async (id: string, chat: typeof long) =>
    `${shopUrl}/?chat=${(await lab.importChat({ ...chat, id })).id}`;

  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await signIn(page, longHistory.customerId, shopUrl);
  await visit(page, await importChat("bench_warm_up", short));
  const visits: Record<string, Visit[]> = {
    "a chat of two messages": [],
    "nothing known": [],
    "known to the server, not to the browser": [],
    "known to both": [],
  };
  for (let round = 0; round < rounds; round += 1) {
    const control = await importChat(`bench_short_${round}`, short);
    const address = await importChat(`bench_long_${round}`, long);
    for (const [what, seen] of Object.entries(visits)) {
      await page.goto(shopUrl);
      if (what !== "known to both") await page.evaluate(() => localStorage.clear());
      seen.push(await visit(page, what === "a chat of two messages" ? control : address));
    }
  }
  console.log(`From opening the URL to the last message on screen, ${rounds} rounds:`);
  for (const [what, seen] of Object.entries(visits)) {
    const times = summary(seen.map(({ milliseconds }) => milliseconds));
    const requests = [...new Set(seen.map((one) => one.requests))].join(" or ");
    console.log(
      `  ${what.padEnd(44)} ${times}  requests for messages: ${requests}  load ${load().toFixed(1)}`,
    );
  }
});

/** Opens the URL. The page measures the time to the frame that shows the last message. */
async function visit(page: Page, address: string): Promise<Visit> {
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "commit" });
  const shown = await page.waitForFunction(() => {
    for (const row of document.querySelectorAll("dialog[open] [data-role] p[dir=auto]")) {
      if (!row.textContent?.includes("(message 2,300)")) continue;
      const { top, bottom } = row.getBoundingClientRect();
      if (bottom > 0 && top < innerHeight) return performance.now();
    }
    return false;
  });
  const milliseconds = Number(await shown.jsonValue());
  const requests = await page.evaluate(
    () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/messages")).length,
  );
  return { milliseconds, requests };
}
