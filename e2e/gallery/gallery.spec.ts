import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { sectionNames } from "../../components/chat/fixtures/stories/section-names.ts";
import { violationsOf, wcag } from "../support/accessibility.ts";
import { drawingOf, drawingOfReference, keepDrawing, whyNotComparable } from "./drawing.ts";

/**
 * Only the launcher and the panel depend on the window's width. Axe covers the dark scheme of every section;
 * one picture shows that it is drawn as meant.
 */
const pictured = [
  { width: 390, colorScheme: "light", sections: /./ },
  { width: 1440, colorScheme: "light", sections: /^(panel|panel-beginning|status-and-launcher|options)$/ },
  { width: 390, colorScheme: "dark", sections: /^panel$/ },
] as const;
const schemes = ["light", "dark"] as const;
/** Reduces a screenshot's colours, mostly of antialiasing and shadows, to a third of the file size. */
function smallPng(picture: Buffer): Promise<Buffer> {
  return sharp(picture).png({ palette: true, colours: 96, dither: 0, effort: 7 }).toBuffer();
}

/** The gallery's fixed time: its messages are from this day. */
const now = new Date("2026-06-02T12:00:00.000Z");

async function openSection(page: Page, name: string): Promise<void> {
  await page.clock.setFixedTime(now);
  // Countdowns measure elapsed time with `performance.now`.
  await page.addInitScript(() => Object.assign(performance, { now: () => 0 }));
  await page.goto(`/gallery?section=${name}`);
  // Hides everything around the section.
  await page.addStyleTag({ content: "body > :not(main) { display: none !important; }" });
  await expect(page.locator("[data-section]")).toBeVisible();
  // The stories of a language are empty until its texts have loaded.
  await page.waitForLoadState("networkidle");
  await settled(page);
  // Shows all notes that appear after some seconds, however fast the machine is.
  await page.clock.fastForward("01:00");
  await settled(page);
}

/** Waits until all stories have run, pictures have loaded or failed, and fonts are ready. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator("[data-playing]")).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const picture of document.images) picture.loading = "eager";
    await Promise.allSettled(Array.from(document.images, (picture) => picture.decode()));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Texts and controls that overflow their story, except where scrolling or clipping is intended. */
function sticksOut(page: Page): Promise<string[]> {
  return page.locator("[data-section] figure").evaluateAll((stories) =>
    stories.flatMap((story) => {
      const { left, right } = story.getBoundingClientRect();
      const isCutByDesign = (element: Element) => {
        for (let around = element.parentElement; around && around !== story; around = around.parentElement) {
          const { overflowX, textOverflow } = getComputedStyle(around);
          if (overflowX === "auto" || overflowX === "scroll" || textOverflow === "ellipsis") return true;
        }
        return false;
      };
      const found = [...story.querySelectorAll(":not(dialog)")].find((element) => {
        const box = element.getBoundingClientRect();
        return (box.right > right + 1 || box.left < left - 1) && box.width > 1 && !isCutByDesign(element);
      });
      if (found === undefined && story.scrollWidth <= story.clientWidth) return [];
      const name = story.querySelector("figcaption")?.textContent;
      return [`${name}: ${found?.outerHTML.slice(0, 200) ?? `${story.scrollWidth}px`}`];
    }),
  );
}

/** Texts that are cut off with an ellipsis where they begin instead of where they end. */
function cutAtBeginning(page: Page): Promise<string[]> {
  return page.locator("[data-section] *").evaluateAll((elements) =>
    elements.flatMap((element) => {
      if (getComputedStyle(element).textOverflow !== "ellipsis") return [];
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (!text?.textContent) return [];
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      const [first, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      const isIn = first.width === 0 || (first.left >= box.left - 1 && first.right <= box.right + 1);
      return isIn ? [] : [`${text.textContent}: ${element.outerHTML.slice(0, 120)}`];
    }),
  );
}

test("lists every section of the gallery", async ({ page }) => {
  await page.goto("/gallery?section=none");
  await expect(page.locator("[data-section-link]")).toHaveText([...sectionNames]);
  const reason = whyNotComparable(await drawingOf(page), drawingOfReference());
  if (reason !== null)
    process.stderr.write(`\nThe gallery is NOT COMPARED with its screenshots: ${reason}.\n\n`);
});

for (const name of sectionNames) {
  test.describe(name, () => {
    // A section's tests share one page, because loading takes most of their time.
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
        const found = await violationsOf(page, {
          tags: [...wcag, "best-practice"],
          within: "[data-section]",
          // The page shows many panels, each with the same landmarks.
          without: ["landmark-unique"],
        });
        expect.soft(found, colorScheme).toEqual([]);
      }
    });

    test("refers to elements that exist", async () => {
      const dangling = await page.evaluate(() =>
        ["aria-describedby", "aria-labelledby", "aria-controls", "for"].flatMap((name) =>
          Array.from(document.querySelectorAll(`[data-section] [${name}]`), (element) =>
            (element.getAttribute(name) ?? "")
              .split(" ")
              .filter((id) => document.getElementById(id) === null)
              .map((id) => `${name}="${id}" of ${element.outerHTML.slice(0, 80)}`),
          ).flat(),
        ),
      );
      expect(dangling).toEqual([]);
    });

    test("fits a 320-pixel screen without motion and console errors", async () => {
      await page.setViewportSize({ width: 320, height: 900 });
      expect.soft(await sticksOut(page)).toEqual([]);
      expect.soft(await cutAtBeginning(page)).toEqual([]);
      // The gallery is opened with `prefers-reduced-motion: reduce`.
      expect.soft(await page.evaluate(() => document.getAnimations().length)).toBe(0);
      expect(complaints).toEqual([]);
    });

    if (name === "products")
      test("lines up the prices of a row", async () => {
        const rows = page.getByRole("list", { name: "Products" });
        const tops = await rows.evaluateAll((lists) =>
          lists.map((list) =>
            Array.from(list.querySelectorAll("[data-sale]"), (price) =>
              Math.round(price.getBoundingClientRect().top),
            ),
          ),
        );
        expect(tops.map((row) => new Set(row).size)).toEqual(tops.map(() => 1));
      });

    test("matches its reference screenshots", async () => {
      const drawing = await drawingOf(page);
      const isUpdating = ["all", "changed"].includes(test.info().config.updateSnapshots);
      if (isUpdating) keepDrawing(drawing);
      else {
        const reason = whyNotComparable(drawing, drawingOfReference());
        // The screenshots are not comparable here, which the first test of the file prints.
        test.skip(reason !== null, `${name}: NOT COMPARED with its pictures: ${reason}`);
      }
      // Panels that reopen at another width take the focus, and the screenshot would show a focus ring.
      await page.locator("[data-section]").evaluate((section) => section.toggleAttribute("inert", true));
      for (const { width, colorScheme } of pictured.filter(({ sections }) => sections.test(name))) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await settled(page);
        const picture = await page.locator("[data-section]").screenshot({ animations: "disabled" });
        expect
          .soft(await smallPng(picture))
          .toMatchSnapshot(`${name}-${width}-${colorScheme}.png`, { maxDiffPixels: 30, threshold: 0.15 });
      }
    });
  });
}
