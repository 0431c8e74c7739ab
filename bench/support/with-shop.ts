import { type Browser, chromium } from "@playwright/test";
import { chromiumArguments } from "../../testing/browsers/chromium-arguments.ts";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";
import { TestEnvironment } from "../../testing/processes/test-environment.ts";

/** Measures the production build (`npm run build` first) with the embedded channel in Chromium. */
export async function withShop(
  measure: (browser: Browser, environment: TestEnvironment) => Promise<void>,
): Promise<void> {
  const environment = await TestEnvironment.start();
  try {
    const executablePath = findOrInstallBrowser();
    const browser = await chromium.launch({ executablePath, args: [...chromiumArguments] });
    await measure(browser, environment);
    await browser.close();
  } finally {
    await environment.stop();
  }
}
