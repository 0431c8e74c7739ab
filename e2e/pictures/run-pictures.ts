/** `node e2e/pictures/run-pictures.ts`: takes the screenshots in docs/pictures from the production build. */
import { join } from "node:path";
import {
  type BrowserContextOptions,
  chromium,
  type Page,
  type PageScreenshotOptions,
} from "@playwright/test";
import sharp from "sharp";
import { root } from "../../processes/root.ts";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";
import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { ChatPage } from "../support/chat-page.ts";

interface Picture {
  name: string;
  options: BrowserContextOptions;
  /** Brings the page into the state to show. Returns the part to take; by default the whole window. */
  play(page: Page): Promise<Pick<PageScreenshotOptions, "clip">>;
}

/** The chat after these messages. */
const asking =
  (...messages: string[]): Picture["play"] =>
  async (page) => {
    const chat = new ChatPage(page);
    await chat.open("/");
    for (const message of messages) await chat.ask(message);
    return {};
  };

/** A message whose server was killed during the reply, beside its requests. */
async function pullThePlug(page: Page) {
  await page.goto("/playground");
  const chat = new ChatPage(page, page.locator("section[data-panel]"));
  await chat.ask("Which helmets do you have?");
  const strip = page.getByRole("region", { name: "Pull the plug" });
  await strip.getByRole("button", { name: "Kill the chat server" }).click();
  const verdict = strip.getByRole("status");
  await verdict.getByText("The chat server is down").waitFor({ timeout: 60_000 });
  await environment.startChannel();
  await verdict.getByText("Pressed 2, stored 2, shown 2.").waitFor({ timeout: 60_000 });
  await page.evaluate(() => window.scrollTo(0, 0));
  const [left, right] = [await chat.panel.boundingBox(), await strip.boundingBox()];
  if (left === null || right === null) throw new Error("The playground is not on the page");
  const margin = 16;
  const [x, y] = [left.x - margin, left.y - margin];
  const height = Math.max(left.height, right.height) + 2 * margin;
  return { clip: { x, y, width: right.x + right.width + margin - x, height } };
}

const desktop = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 };
const phone = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const pictures: readonly Picture[] = [
  {
    name: "desktop-light",
    options: { ...desktop, colorScheme: "light" },
    play: asking("Which helmets do you have for a child?"),
  },
  {
    name: "phone-dark",
    options: { ...phone, colorScheme: "dark" },
    play: asking("Do you deliver to Ireland?", "I want to book a repair"),
  },
  {
    name: "pull-the-plug",
    // High enough for the whole chat.
    options: { ...desktop, viewport: { width: 1440, height: 1100 }, colorScheme: "light" },
    play: pullThePlug,
  },
];

/** The largest allowed size of a picture, in bytes. */
const largest = 250_000;

const environment = await TestEnvironment.start({ env: { CHANNEL_AGENT_PACE: "45" } });
const browser = await chromium.launch({ executablePath: findOrInstallBrowser() });
try {
  for (const { name, options, play } of pictures) {
    const context = await browser.newContext({
      ...options,
      baseURL: environment.shopUrl,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const part = await play(page);
    await page.waitForLoadState("networkidle");
    // The message field would show a blinking caret.
    const screenshot = await page.screenshot({ ...part, animations: "disabled", caret: "hide" });
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
