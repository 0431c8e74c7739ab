import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { sectionNames } from "../../components/chat/fixtures/stories/section-names.ts";
import { drawingOf, drawingOfReference, keepDrawing, whyNotComparable } from "./drawing.ts";

const widths = [390, 1440];
const schemes = ["light", "dark"] as const;
/** A screenshot in few colours, a third of its size: most of its thousands are of the edges of letters and of shadows. */
function smallPng(picture: Buffer): Promise<Buffer> {
  return sharp(picture).png({ palette: true, colours: 96, dither: 0, effort: 7 }).toBuffer();
}

/** The gallery's own moment: its messages are of this day. */
const now = new Date("2026-06-02T12:00:00.000Z");

async function openSection(page: Page, name: string): Promise<void> {
  await page.clock.setFixedTime(now);
  await page.goto(`/gallery?section=${name}`);
  // What lies around the section is not part of its picture: the page, and the development server's own button.
  await page.addStyleTag({ content: "nextjs-portal, body > :not(main) { display: none !important; }" });
  await expect(page.locator("[data-section]")).toBeVisible();
  // Parts that load on use show nothing until they are there.
  await page.waitForLoadState("networkidle");
  await settled(page);
}

/** Every story has been played, each picture has come or failed, and fonts are there. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator("[data-playing]")).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const picture of document.images) picture.loading = "eager";
    await Promise.allSettled(Array.from(document.images, (picture) => picture.decode()));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Texts and controls that stick out of their story, beside what scrolls by design. */
function sticksOut(page: Page): Promise<string[]> {
  return page
    .locator("[data-section] figure")
    .evaluateAll((stories) =>
      stories
        .filter((story) => story.scrollWidth > story.clientWidth)
        .map((story) => `${story.querySelector("figcaption")?.textContent}: ${story.scrollWidth}px`),
    );
}

test("every section is drawn", async ({ page }) => {
  await page.goto("/gallery?section=none");
  await expect(page.locator("[data-section-link]")).toHaveText([...sectionNames]);
  const reason = whyNotComparable(await drawingOf(page), drawingOfReference());
  if (reason !== null)
    process.stderr.write(`\nThe gallery is NOT COMPARED with its pictures: ${reason}.\n\n`);
});

for (const name of sectionNames) {
  test.describe(name, () => {
    // One page for all of a section's tests: most of their time is its loading.
    test.describe.configure({ mode: "default" });
    let page: Page;
    const complaints: string[] = [];

    test.beforeAll(async ({ browser }) => {
      const context = await browser.newContext({ viewport: { width: 390, height: 900 } });
      page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        const isNoteOfBrowser = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isNoteOfBrowser) complaints.push(message.text());
      });
      await openSection(page, name);
    });
    test.afterAll(() => page.context().close());

    test("is accessible in light and dark", async () => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page })
          .include("[data-section]")
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
          // Many panels stand side by side here, each with the same landmarks.
          .disableRules(["landmark-unique"])
          .analyze();
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
        );
        expect.soft(found, colorScheme).toEqual([]);
      }
    });

    test("fits the narrowest screen, moves nothing, complains of nothing", async () => {
      await page.setViewportSize({ width: 320, height: 900 });
      expect.soft(await sticksOut(page)).toEqual([]);
      // The gallery is opened with `prefers-reduced-motion: reduce`.
      expect.soft(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      expect(complaints).toEqual([]);
    });

    test("looks as in its pictures", async () => {
      const drawing = await drawingOf(page);
      const isUpdating = ["all", "changed"].includes(test.info().config.updateSnapshots);
      if (isUpdating) keepDrawing(drawing);
      else {
        const reason = whyNotComparable(drawing, drawingOfReference());
        // Not this project's fault, nor anything that it could compare; the first test of the file says it aloud.
        test.skip(reason !== null, `${name}: NOT COMPARED with its pictures: ${reason}`);
      }
      // Panels that are opened anew at another width take the focus: a ring would be wherever the last one was.
      await page.locator("[data-section]").evaluate((section) => section.toggleAttribute("inert", true));
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          await settled(page);
          const picture = await page.locator("[data-section]").screenshot({ animations: "disabled" });
          expect
            .soft(await smallPng(picture))
            .toMatchSnapshot(`${name}-${width}-${colorScheme}.png`, { maxDiffPixels: 30, threshold: 0.15 });
        }
      }
    });
  });
}
