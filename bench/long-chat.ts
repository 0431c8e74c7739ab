/**
 * `npm run bench -- long-chat [opening | frames]`: a chat of 2,000 messages in a real browser, in front of
 * the production build (`npm run build` first) and the embedded channel: time and requests until its end is
 * on screen, and frame times while it scrolls, compared with those of an empty page on the same machine.
 */
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { TestEnvironment } from "../testing/processes/test-environment.ts";
import { launchBrowser } from "./support/browser.ts";
import { finger, key, reportFrames, wheel } from "./support/frames.ts";
import { importChat, makeCustomer } from "./support/imported-chats.ts";
import { load } from "./support/machine.ts";
import { summary } from "./support/statistics.ts";

const length = 2_000;
const rounds = 5;
const viewport = { width: 1_440, height: 900 };

const part = process.argv[2];
const environment = await TestEnvironment.start();
const browser = await launchBrowser();
try {
  if (part !== "frames") await benchOpening(browser);
  if (part !== "opening") await benchFrames(browser);
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

async function benchFrames(browser: Browser): Promise<void> {
  console.log("\nFrames while scrolling, four seconds each:");
  const { context, page, userId } = await openShop(browser);

  const empty = await context.newPage();
  await empty.setContent(
    '<div style="height: 400000px; background: linear-gradient(#fff, #ccc) 0 0 / 100% 300px"></div>',
  );
  await empty.evaluate(() => window.scrollTo(0, 200_000));
  const middle = { x: viewport.width / 2, y: viewport.height / 2 };
  await reportFrames("an empty page, wheel", empty, wheel("past"), middle);
  await reportFrames("an empty page, finger", empty, finger("past"), middle);
  await reportFrames("an empty page, PageUp", empty, key("PageUp"), middle);
  await empty.close();

  await page.bringToFront();
  await visit(page, `${environment.shopUrl}/?chat=${await importChat(environment, userId, length)}`, length);
  const list = page.getByRole("region", { name: "Messages" });
  const box = await list.boundingBox();
  if (box === null) throw new Error("The list of messages is not on the screen.");
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await reportFrames("upwards the first time, wheel", page, wheel("past"), at);
  await reportFrames("upwards the first time, finger", page, finger("past"), at);

  await readWhole(page);
  await reportFrames("all 2,000 read, towards the end, wheel", page, wheel("end"), at);
  await reportFrames("all 2,000 read, towards the past, wheel", page, wheel("past"), at);
  await reportFrames("all 2,000 read, towards the end, finger", page, finger("end"), at);
  await list.focus();
  await reportFrames("all 2,000 read, PageDown", page, key("PageDown"), at);
  await reportFrames("all 2,000 read, PageUp", page, key("PageUp"), at);
  const drawn = await page.locator("[data-role]").count();
  const elements = await page.locator("*").count();
  console.log(`  rows of messages in the page: ${drawn}, elements in the page: ${elements}`);
  await context.close();
}

/** Scrolls up until the chat's beginning is shown. */
async function readWhole(page: Page): Promise<void> {
  const begin = Date.now();
  const first = page.getByText("Message 0.");
  const list = page.getByRole("region", { name: "Messages" });
  while ((await first.count()) === 0) {
    // Once per frame, so that new content is rendered between two steps.
    await list.evaluate((element) => {
      element.scrollTo({ top: -element.scrollHeight });
      return new Promise((resolve) => requestAnimationFrame(resolve));
    });
    if (Date.now() - begin > 120_000) throw new Error("The chat's beginning was not reached.");
  }
  console.log(`  (reached the beginning in ${((Date.now() - begin) / 1_000).toFixed(1)} s)`);
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
