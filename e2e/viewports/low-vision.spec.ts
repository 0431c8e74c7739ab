/** Zoom, large text and forced colours, with a form and cards open. */

import type { Page } from "@playwright/test";
import { aField } from "#lib/chat-api/testing/builders.ts";
import { aNote } from "../support/attachments.ts";
import { helmet, repair } from "../support/cards.ts";
import { aChat, type ChatPage, expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

const product = { ...helmet, title: "Kestrel helmet with a long name that no card has the width for" };
const order = { ...repair, items: [{ description: "Labour on the rear hub", quantity: 1, arrived: null }] };
const field = aField({ id: "email", label: "Email", type: "email" });
const reason = aField({
  id: "reason",
  label: "Reason",
  type: "choice",
  choices: [
    { id: "too_big", label: "It is far too big for the one who wears it" },
    { id: "damaged", label: "Damaged" },
  ],
});

/** Shows cards, suggested replies and, below them, a form with invalid answers. */
async function openEverything(chat: ChatPage): Promise<void> {
  const chatId = await chat.start();
  await lab.reply(chatId, {
    text: "Here is what I found.",
    citations: [{ title: "Sizes", url: "https://shop.tarn-and-tread.example/help/sizes", updatedAt: null }],
    products: [product, { ...product, id: "merlin", inStock: false }],
    orders: [order],
    choices: ["Call the workshop"],
    collection: {
      collectionId: "return-request",
      purpose: "To prepare your return.",
      canSkip: true,
      canCancel: true,
      fields: [
        { required: true, field },
        { required: true, field: reason },
      ],
    },
  });
  await chat.ask("what do you know?");
  const card = chat.panel.getByRole("region", { name: "Form" });
  // Uses the keyboard, because loading pictures and cards move the button, and a click could miss it.
  await card.getByRole("button", { name: "Send" }).press("Enter");
  await expect(card.getByText("Please check 2 fields.")).toBeVisible();
}

/** Checks that nothing overflows the panel horizontally except the row of products, which scrolls. */
async function expectNothingCut(chat: ChatPage): Promise<void> {
  const list = chat.panel.getByRole("region", { name: "Messages" });
  for (const place of [chat.panel, list])
    expect(await place.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const out = await list.evaluate((box) => {
    const { left, right } = box.getBoundingClientRect();
    return [...box.querySelectorAll("*")]
      .filter((one) => one.closest('[aria-label="Products"]') === null && one.checkVisibility())
      .filter((one) => {
        const edge = one.getBoundingClientRect();
        return edge.width > 1 && (edge.left < left - 1 || edge.right > right + 1);
      })
      .map((one) => one.outerHTML.slice(0, 80));
  });
  expect(out).toEqual([]);
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  await expect(chat.panel.getByRole("button", { name: "Close chat" })).toBeInViewport({ ratio: 1 });
}

/** 200 % zoom halves the number of CSS pixels. */
async function zoomTwice(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: width / 2, height: height / 2 });
}

test("fits cards and a form with errors at 200 % zoom", async ({ chat, page }) => {
  await openEverything(chat);
  await zoomTwice(page);
  await expectNothingCut(chat);
  const card = chat.panel.getByRole("region", { name: "Form" });
  await card.getByLabel("Email").fill("ana@example.com");
  await card.getByLabel("Damaged").check();
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByText("Sent. Thank you.")).toBeVisible();
  await expectNothingCut(chat);
});

test("cuts nothing off at twice the text size", async ({ chat, page }) => {
  // Changes the browser's own font size, which the chat follows, and not the page's root element.
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("[data-chat-theme] { font-size: 32px !important; }");
    document.adoptedStyleSheets = [sheet];
  });
  await openEverything(chat);
  await expect(chat.panel).toHaveCSS("font-size", "30px");
  await expectNothingCut(chat);
  // The header's texts are whole, the field takes some words a line, and the icons have grown.
  const cut = await chat.panel.evaluate((panel) =>
    [...panel.querySelectorAll("h2, h2 *, h2 + p")]
      .filter((text) => text.scrollWidth > text.clientWidth + 1 || text.scrollHeight > text.clientHeight + 1)
      .filter((text) => getComputedStyle(text).display !== "inline")
      .map((text) => text.textContent),
  );
  expect(cut).toEqual([]);
  expect((await chat.composer.boundingBox())?.width).toBeGreaterThan(200);
  const icons = chat.panel.getByRole("button", { name: "Close chat" }).locator("svg");
  expect(await icons.boundingBox()).toMatchObject({ width: 40, height: 40 });
});

test("cuts nothing off with the text spacing of WCAG 1.4.12", async ({ chat, page }) => {
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      [data-chat-theme] * {
        line-height: 1.5 !important;
        letter-spacing: 0.12em !important;
        word-spacing: 0.16em !important;
      }
      [data-chat-theme] p { margin-block-end: 2em !important; }`);
    document.adoptedStyleSheets = [sheet];
  });
  await openEverything(chat);
  await chat.attach(aNote("a photograph of the crack in the left pedal of my bicycle.txt"));
  await expect(chat.panel.getByRole("button", { name: /^Remove a photograph/ })).toBeVisible();
  await expectNothingCut(chat);
  const cut = await chat.panel.evaluate((panel) =>
    [...panel.querySelectorAll("*")]
      .filter((one) => one.checkVisibility() && one.clientWidth > 1)
      .filter((one) => {
        const { overflowX, overflowY } = getComputedStyle(one);
        const isCut = (overflow: string, by: number) => /hidden|clip/.test(overflow) && by > 1;
        return (
          isCut(overflowX, one.scrollWidth - one.clientWidth) ||
          isCut(overflowY, one.scrollHeight - one.clientHeight)
        );
      })
      .map((one) => one.outerHTML.slice(0, 200)),
  );
  expect(cut).toEqual([]);
});

test("keeps its sizes on a page whose root font size is 62.5 %", aChat, async ({ chat, page }) => {
  await chat.start();
  const sizes = () =>
    chat.panel.evaluate((panel) =>
      [panel, ...panel.querySelectorAll("*")]
        .filter((one) => one.checkVisibility())
        .map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return [one.tagName, getComputedStyle(one).fontSize, Math.round(width), Math.round(height)];
        }),
    );
  await expect(chat.panel).toHaveCSS("font-size", "15px");
  await expect(chat.panel.getByRole("button", { name: "Helpful", exact: true })).toBeVisible();
  const before = await sizes();
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "62.5%"));
  expect(await sizes()).toEqual(before);
  // Restores the size, because axe would report the shop's own links as too small.
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
});

test("keeps its header and message field in view on a page with CSS zoom", aChat, async ({ chat, page }) => {
  await chat.open();
  await page.evaluate(() => document.documentElement.style.setProperty("zoom", "1.5"));
  for (const button of [chat.panel.getByRole("button", { name: "Close chat" }), chat.sendButton])
    await expect(button).toBeInViewport({ ratio: 1 });
});

test("gives controls and messages borders and system colours in forced colours", async ({ chat, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openEverything(chat);
  const bare = await chat.panel.evaluate((panel) =>
    [
      ...panel.querySelectorAll(
        "button, input:not([type=file], [type=radio]), select, textarea, [data-role] > div",
      ),
    ]
      .filter((one) => one.checkVisibility() && one.closest("summary, li > a") === null)
      // A row of products has no border of its own: each of its cards has one.
      .filter((one) => one.querySelector(":scope > [data-count]") === null)
      // The frame around the message field is its border.
      .filter((one) => {
        const edged = one.matches("textarea") ? one.parentElement : one;
        return (
          edged !== null && getComputedStyle(edged).borderTopStyle === "none" && edged.textContent !== ""
        );
      })
      .map((one) => one.outerHTML.slice(0, 90)),
  );
  expect(bare).toEqual([]);

  const probe = await page.evaluate(() => {
    const swatch = document.createElement("i");
    document.body.append(swatch);
    const colours = ["Canvas", "CanvasText", "ButtonFace", "ButtonText", "LinkText", "GrayText", "Highlight"];
    return colours.map((name) => {
      swatch.style.color = name;
      return getComputedStyle(swatch).color;
    });
  });
  const foreign = await chat.panel.evaluate(
    (panel, system) =>
      [...panel.querySelectorAll("svg, button, p, bdi, input, textarea")]
        .filter((one) => one.checkVisibility() && !system.includes(getComputedStyle(one).color))
        .map((one) => `${getComputedStyle(one).color} ${one.outerHTML.slice(0, 90)}`),
    probe,
  );
  expect(foreign).toEqual([]);

  // Browsers paint a backplate behind text unless the style opts out. On another background it would show as
  // a bar.
  const unreadable = await chat.panel.evaluate((panel, [canvas]) => {
    const groundOf = (element: Element | null): Element | null =>
      element === null || !/^rgba.* 0\)$/.test(getComputedStyle(element).backgroundColor)
        ? element
        : groundOf(element.parentElement);
    const texts = [...panel.querySelectorAll("p, bdi, button, summary, [aria-hidden=true]:not(svg)")];
    return texts
      .filter((one) => one.checkVisibility() && (one.textContent ?? "").trim() !== "")
      .filter((one) => {
        const ground = groundOf(one);
        const colour = ground === null ? canvas : getComputedStyle(ground).backgroundColor;
        const isDeclined = getComputedStyle(one).forcedColorAdjust === "none";
        return isDeclined ? colour === getComputedStyle(one).color : colour !== canvas;
      })
      .map((one) => one.outerHTML.slice(0, 90));
  }, probe);
  expect(unreadable).toEqual([]);
  const chosen = chat.panel.getByLabel("Damaged");
  await chosen.check();
  await expect(chosen).toHaveCSS("accent-color", "auto");
  // Axe measures contrast without forced colours.
  await page.emulateMedia({ forcedColors: "none" });
});

test("uses the shop's colours and colour scheme", aChat, async ({ chat }) => {
  await chat.start();
  const own = chat.messages("visitor").first().locator("div:has(> p[dir=auto])");
  await chat.panel.evaluate((panel) => {
    const around = panel.closest("[lang]")?.parentElement?.style;
    around?.setProperty("--chat-own", "rgb(1, 2, 3)");
    around?.setProperty("--chat-own-ink", "rgb(250, 250, 250)");
  });
  await expect(own).toHaveCSS("background-color", "rgb(1, 2, 3)");
  const ground = () => chat.panel.evaluate((panel) => getComputedStyle(panel).backgroundColor);
  const choose = (scheme: "light" | "dark") =>
    chat.page.evaluate((wanted) => {
      document.documentElement.dataset["theme"] = wanted;
    }, scheme);
  await choose("light");
  const light = await ground();
  await choose("dark");
  await expect.poll(ground).not.toBe(light);
});
