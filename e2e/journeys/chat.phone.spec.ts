import { aNote } from "../support/attachments.ts";
import { helmet, repair, returnForm } from "../support/cards.ts";
import { aChat, expect, test } from "../support/chat-page.ts";
import { openElementPage } from "../support/element-page.ts";
import { lab, startHeldReply } from "../support/lab.ts";

test("fills a phone's screen, traps the focus and returns it", aChat, async ({ chat, page }) => {
  await chat.open("/");
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // The panel slides in.
  await expect.poll(() => chat.panel.boundingBox()).toEqual({ x: 0, y: 0, width, height });
  expect(await page.evaluate(() => document.querySelector("dialog")?.matches(":modal"))).toBe(true);
  await chat.ask("hello");
  await chat.expectAccessible();
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await expect(chat.launcher).toBeFocused();
});

test("keeps the page that it covers where it is", aChat, async ({ chat, page }) => {
  await chat.open("/products");
  await chat.ask("which helmets do you have?");
  await expect(page.locator("[data-answers]").first()).toBeAttached();
  const title = await chat.panel.getByRole("heading").first().boundingBox();
  const scrolled = () =>
    page.evaluate(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      return window.scrollY;
    });
  await page.mouse.move(title?.x ?? 0, title?.y ?? 0);
  await page.mouse.wheel(0, 300);
  expect(await scrolled()).toBe(0);
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await expect(chat.panel).toBeHidden();
  expect(await scrolled()).toBe(0);
  await page.mouse.wheel(0, 300);
  await expect.poll(scrolled).toBe(300);
});

test("leaves the message field room at 320 pixels while an answer is written", async ({ chat, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Yes, of course.", deltas: ["Yes, ", "of course."], holdsAfter: 1 });
  await chat.send("Do you deliver?");
  await expect(chat.panel.getByRole("button", { name: "Stop" })).toBeVisible();
  expect((await chat.composer.boundingBox())?.width).toBeGreaterThan(180);
  await lab.continueReply(chatId);
});

test("does not scroll horizontally at 320 pixels", aChat, async ({ chat, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await chat.open();
  await chat.ask("which helmets do you have?");
  expect(await chat.panel.evaluate((panel) => panel.scrollWidth)).toBeLessThanOrEqual(320);
  await chat.panel.getByRole("button", { name: "More", exact: true }).click();
  const menu = await page.getByRole("menu").boundingBox();
  expect(menu?.x ?? -1).toBeGreaterThanOrEqual(0);
});

test("keeps Send beside a large text while an answer is written", async ({ chat }) => {
  await startHeldReply(chat);
  const theme = chat.panel.locator("xpath=ancestor::*[@data-chat-theme]");
  await theme.evaluate((element) => element.style.setProperty("font-size", "32px", "important"));
  await expect(chat.panel.getByRole("button", { name: "Stop showing the answer" })).toBeVisible();
  await chat.composer.fill("half a question");
  const text = await chat.composer.boundingBox();
  const send = await chat.panel.getByRole("button", { name: "Send" }).boundingBox();
  expect(send?.x).toBeGreaterThanOrEqual((text?.x ?? 0) + (text?.width ?? 0));
});

test("gives every control 44 pixels on a touch screen", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, {
    text: "Here is what I found.",
    citations: [{ title: "Size", url: "https://shop.tarn-and-tread.example/help/sizes", updatedAt: null }],
    products: [helmet, { ...helmet, id: "merlin" }, { ...helmet, id: "hobby" }],
    orders: [repair],
    choices: ["OK"],
    collection: { ...returnForm, fields: returnForm.fields.map((entry) => ({ ...entry, required: false })) },
  });
  const reply = await chat.ask("what do you know?");
  await reply.getByText("1 source").click();
  // Uses the keyboard, because loading pictures and cards move the option, and a click could miss it.
  await reply.getByLabel("Damaged").press("Space");
  await expect(reply.getByLabel("Damaged")).toBeChecked();
  await chat.attach(aNote());
  await expect(chat.panel.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  // A product's link covers its card, a source's its entry, and a radio button's label its option.
  const controls = chat.panel.locator(
    "button, a:not([aria-label=Products] *, details li *), details li, summary, input:not([type=file], [type=radio]), textarea, label:has(input)",
  );
  const small = await controls.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && Math.min(width, height) < 43.9
        ? [`${width} × ${height}: ${element.outerHTML}`]
        : [];
    }),
  );
  expect(small).toEqual([]);
});

test("focuses the messages when a tapped button disappears", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Which one?", choices: ["The first", "The second"] });
  const reply = await chat.ask("show me");
  await reply.getByRole("button", { name: "The second" }).tap();
  // The message field would raise a keyboard over the answer.
  await expect(chat.panel.getByRole("region", { name: "Messages" })).toBeFocused();
});

test("gives the search of the help 44 pixels on a touch screen", async ({ chat }) => {
  await chat.open("/");
  const field = chat.panel.getByRole("searchbox", { name: "Search our help" });
  // The panel grows while it opens.
  await expect.poll(async () => (await field.boundingBox())?.height).toBeGreaterThanOrEqual(43.9);
});

test("shows the thumbs of an earlier answer below it once it is tapped", async ({ chat, page }) => {
  // Taps alone: after a click the browser would take the mouse to be there still.
  await page.goto("/about");
  await chat.launcher.tap();
  for (const text of ["Do you deliver to Ireland?", "hello"]) {
    await chat.composer.fill(text);
    await chat.sendButton.tap();
    await chat.settled();
  }
  const earlier = chat.answers.first();
  const thumbs = earlier.getByRole("group", { name: "Was this answer helpful?" });
  await expect(thumbs).toHaveCSS("opacity", "0");
  await earlier.getByText("every county of Ireland").tap();
  await expect(thumbs).toHaveCSS("opacity", "1");
  await expect(thumbs.getByRole("button", { pressed: true })).toHaveCount(0);
  await thumbs.getByRole("button", { name: "Helpful", exact: true }).tap();
  await expect(thumbs.getByRole("button", { name: "Helpful", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("does not cover a page that it opens in the same tab", async ({ chat, page }) => {
  await openElementPage(page, { attributes: 'help-label="Our help" help-href="/help"' });
  await chat.launcher.tap();
  await chat.panel.getByRole("link", { name: "Our help" }).tap();
  await expect(page).toHaveURL("/help");
  await expect(chat.launcher).toBeVisible();
  await chat.launcher.tap();
  const field = chat.panel.getByRole("searchbox", { name: "Search our help" });
  await field.fill("delivery to Ireland");
  await field.press("Enter");
  await expect(page).toHaveURL("/help?q=delivery+to+Ireland");
  await expect(chat.launcher).toBeVisible();
  await expect(chat.panel).toBeHidden();
});

test("opens the menu, follows a link and closes the menu", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const menu = page.getByRole("navigation", { name: "Menu" });
  await menu.getByRole("link", { name: "Our shops" }).click();
  await expect(page).toHaveURL("/help/store-hours");
  await expect(menu).toBeHidden();
});

test("offers the camera", async ({ chat, page }) => {
  await chat.open();
  const chooser = page.waitForEvent("filechooser");
  await chat.panel.getByRole("button", { name: "Take a picture" }).tap();
  const field = (await chooser).element();
  expect(await field.getAttribute("capture")).toBe("environment");
  expect(await field.getAttribute("accept")).toBe("image/*");
});
