/**
 * `npm run bench -- long-chat`: a chat of 2,000 messages in a real browser, in front of the production build
 * (`npm run build` first) and the embedded channel: time and requests until its end is on screen.
 */
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { TestEnvironment } from "../testing/processes/test-environment.ts";
import { launchBrowser } from "./support/browser.ts";
import { importChat, makeCustomer } from "./support/imported-chats.ts";
import { load } from "./support/machine.ts";
import { summary } from "./support/statistics.ts";

const length = 2_000;
const rounds = 5;
const viewport = { width: 1_440, height: 900 };

const environment = await TestEnvironment.start();
const browser = await launchBrowser();
try {
  await benchOpening(browser);
} finally {
  await browser.close();
  await environment.stop();
}

async function benchOpening(browser: Browser): Promise<void> {
  console.log(`From opening the URL to the last message on screen, ${rounds} rounds:`);
  const { context, page, userId } = await openShop(browser);
  await visit(page, `${environment.shopUrl}/?chat=${await importChat(environment, userId, 2)}`, 2);

  const short: Visit[] = [];
  const first: Visit[] = [];
  const other: Visit[] = [];
  const again: Visit[] = [];
  for (let round = 0; round < rounds; round += 1) {
    short.push(
      await visit(page, `${environment.shopUrl}/?chat=${await importChat(environment, userId, 2)}`, 2),
    );
    const address = `${environment.shopUrl}/?chat=${await importChat(environment, userId, length)}`;
    await forget(page);
    first.push(await visit(page, address, length));
    await forget(page);
    other.push(await visit(page, address, length));
    again.push(await visit(page, address, length));
  }
  reportVisits("a chat of two messages", short);
  reportVisits("nothing known", first);
  reportVisits("known to the server, not to the browser", other);
  reportVisits("known to both", again);
  await context.close();
}

interface Customer {
  context: BrowserContext;
  page: Page;
  userId: string;
}

/** Opens the shop as a new customer. */
async function openShop(browser: Browser): Promise<Customer> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const userId = await makeCustomer(page, environment.shopUrl);
  return { context, page, userId };
}

interface Visit {
  milliseconds: number;
  requests: number;
}

/** Opens the URL. The page measures the time to the frame that shows the last message. */
async function visit(page: Page, address: string, count: number): Promise<Visit> {
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "commit" });
  const shown = await page.waitForFunction(
    (text) => {
      for (const row of document.querySelectorAll("dialog[open] [data-role] p[dir=auto]")) {
        if (!row.textContent?.startsWith(text)) continue;
        const { top, bottom } = row.getBoundingClientRect();
        if (bottom > 0 && top < innerHeight) return performance.now();
      }
      return false;
    },
    `Message ${count - 1}.`,
  );
  const milliseconds = Number(await shown.jsonValue());
  const requests = await page.evaluate(
    () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/messages")).length,
  );
  return { milliseconds, requests };
}

/** Clears the browser's stored chats and keeps the customer's session. */
async function forget(page: Page): Promise<void> {
  await page.goto(environment.shopUrl);
  await page.evaluate(() => localStorage.clear());
}

function reportVisits(what: string, visits: readonly Visit[]): void {
  const times = summary(visits.map(({ milliseconds }) => milliseconds));
  const requests = [...new Set(visits.map((visit) => visit.requests))].join(" or ");
  console.log(`  ${what.padEnd(44)} ${times}  requests for messages: ${requests}  load ${load().toFixed(1)}`);
}
