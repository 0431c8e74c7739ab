/**
 * Measures the chat's first opening on a slow phone, from the press on the launcher to the frame in which the
 * customer can type. Chromium has an empty cache, and its CPU is slowed down four times once the page is
 * idle; it opens the production build (`npm run build` first) with the embedded channel. Also measures the
 * page's memory with an open chat of 50 and of 2,000 messages, after garbage collection.
 */
import type { Browser, CDPSession, Page } from "@playwright/test";
import { TestEnvironment } from "../testing/processes/test-environment.ts";
import { launchBrowser } from "./support/browser.ts";
import { importChat, makeCustomer } from "./support/imported-chats.ts";
import { load } from "./support/machine.ts";
import { median } from "./support/statistics.ts";

const slowDown = 4;
const rounds = 9;
const lengths = [50, 2_000];

const environment = await TestEnvironment.start();
const browser = await launchBrowser();
try {
  await benchOpening(browser);
  await benchMemory(browser);
} finally {
  await browser.close();
  await environment.stop();
}

async function benchOpening(browser: Browser): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    await page.goto(environment.shopUrl, { waitUntil: "networkidle" });
    // The page renders the closed panel while it is idle.
    await page.locator("dialog textarea").waitFor({ state: "attached" });
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowDown });
    times.push(await openChat(page));
    await context.close();
  }
  const sorted = times.toSorted((a, b) => a - b).map((time) => time.toFixed(0));
  console.log(`From the press to a field to type in, ${slowDown} times slower, ${rounds} rounds:`);
  console.log(`  median ${median(times).toFixed(0)} ms (${sorted.join(", ")}), load ${load().toFixed(1)}\n`);
}

/** Milliseconds from the press to the first frame after the composer has the focus. */
async function openChat(page: Page): Promise<number> {
  await page.evaluate(() => {
    document.addEventListener(
      "click",
      ({ timeStamp }) => {
        const look = () => {
          if (document.activeElement?.closest("dialog[open]")?.querySelector("textarea"))
            requestAnimationFrame(() => Object.assign(window, { opened: performance.now() - timeStamp }));
          else requestAnimationFrame(look);
        };
        look();
      },
      { capture: true, once: true },
    );
  });
  await page.getByRole("button", { name: "Chat with us" }).tap();
  const opened = await page.waitForFunction(() => (window as { opened?: number }).opened);
  return Number(await opened.jsonValue());
}

async function benchMemory(browser: Browser): Promise<void> {
  console.log("Memory of the page's JavaScript and its elements, after garbage collection:");
  for (const length of lengths) {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    const page = await context.newPage();
    const userId = await makeCustomer(page, environment.shopUrl);
    const id = await importChat(environment, userId, length);
    await page.goto(`${environment.shopUrl}/?chat=${id}`);
    await page.getByText(`Message ${length - 1}.`).waitFor();
    await page.waitForLoadState("networkidle");
    const session = await context.newCDPSession(page);
    const opened = await heapOf(session);
    console.log(
      `  ${length} messages: ${(opened.heap / 2 ** 20).toFixed(1)} MiB, ${opened.nodes} nodes, load ${load().toFixed(1)}`,
    );
    await context.close();
  }
}

async function heapOf(session: CDPSession): Promise<{ heap: number; nodes: number }> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: value("JSHeapUsedSize"), nodes: value("Nodes") };
}
