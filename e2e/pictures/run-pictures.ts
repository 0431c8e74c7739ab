/** `node e2e/pictures/run-pictures.ts`: takes the screenshots in docs/pictures from the production build. */
import { join } from "node:path";
import { type BrowserContextOptions, chromium } from "@playwright/test";
import sharp from "sharp";
import { root } from "../../processes/root.ts";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";
import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { ChatPage } from "../support/chat-page.ts";

interface Picture {
  name: string;
  options: BrowserContextOptions;
  /** Messages that the customer sends, in order. */
  messages: readonly string[];
}

const desktop = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 };
const phone = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const pictures: readonly Picture[] = [
  {
    name: "desktop-light",
    options: { ...desktop, colorScheme: "light" },
    messages: ["Which helmets do you have for a child?"],
  },
  {
    name: "phone-dark",
    options: { ...phone, colorScheme: "dark" },
    messages: ["Do you deliver to Ireland?", "I want to book a repair"],
  },
];

/** The largest allowed size of a picture, in bytes. */
const largest = 250_000;

const environment = await TestEnvironment.start();
const browser = await chromium.launch({ executablePath: findOrInstallBrowser() });
try {
  for (const { name, options, messages } of pictures) {
    const context = await browser.newContext({
      ...options,
      baseURL: environment.shopUrl,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const chat = new ChatPage(page);
    await chat.open("/");
    for (const message of messages) await chat.ask(message);
    await page.waitForLoadState("networkidle");
    // The message field would show a blinking caret.
    const screenshot = await page.screenshot({ animations: "disabled", caret: "hide" });
    const file = join("docs", "pictures", `${name}.webp`);
    const { size } = await sharp(screenshot).webp({ quality: 82, effort: 6 }).toFile(join(root, file));
    console.log(`${file}: ${Math.round(size / 1000)} kB`);
    if (size > largest) throw new Error(`${file} is larger than ${largest} bytes`);
    await context.close();
  }
} finally {
  await browser.close();
  await environment.stop();
}
