/**
 * Measures the chat's first opening on a slow phone, from the press on the launcher to the frame in which the
 * customer can type. Chromium has an empty cache, and its CPU is slowed down four times once the page is
 * idle; it opens the production build (`npm run build` first) with the embedded channel.
 */
import type { Page } from "@playwright/test";
import { load } from "./support/machine.ts";
import { median } from "./support/statistics.ts";
import { withShop } from "./support/with-shop.ts";

const slowDown = 4;
const rounds = 9;

await withShop(async (browser, environment) => {
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
});

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
