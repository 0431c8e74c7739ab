import { aChat, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";

test("answers a question about delivery with a source", { tag: "@phone" }, async ({ chat, page }) => {
  await chat.open("/");
  const reply = await chat.ask("Do you deliver to Ireland?");
  await expect(reply).toContainText("Ireland");
  await reply.getByText(/sources?$/).click();
  const source = reply.getByRole("listitem").getByRole("link").first();
  await expect(source).toHaveAttribute("href", /\/help\//);
  await expect(source).toHaveAttribute("target", "_blank");
  await expect(source).toHaveAttribute("rel", /noopener/);
  await chat.expectAccessible();
  await expect(page.getByRole("dialog")).toHaveAccessibleName(/Wren/);
});

test("shows three helmets for a question about helmets", { tag: "@phone" }, async ({ chat }) => {
  await chat.open();
  const reply = await chat.ask("which helmets do you have?");
  const cards = reply.getByRole("list", { name: "Products" }).getByRole("link");
  await expect(cards).toHaveCount(3);
  await expect(reply.getByText(/£\d/).first()).toBeVisible();
  await chat.expectAccessible();
});

test("announces a finished reply once and not its parts", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, heldReply());
  const announcements = await chat.announcements();
  await chat.send("tell me");
  await expect(chat.unfinishedReply).toContainText("word4");
  await lab.continueReply(chatId);
  await chat.settled();
  await expect
    .poll(async () => (await announcements()).filter((said) => said !== ""))
    .toEqual([expect.stringContaining("is answering"), expect.stringMatching(/word0 word1 .*word39/)]);
  // The next person at this page must not find it.
  await expect(chat.page.locator("[data-announcements=polite]")).toBeEmpty();
});

test("announces a slow answer once before its first word and once after it", { tag: "@rare" }, async ({
  chat,
  page,
}) => {
  await page.clock.install();
  const chatId = await chat.start();
  await lab.reply(chatId, { ...heldReply(), holdsAfter: 0 });
  let letThrough: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/messages", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  const lines = chat.panel.locator("[data-message-list] [role=status]");
  const slow = /^This is taking longer than usual/;
  // A screen reader announces only what is added to a live region that exists.
  await expect(lines).toBeEmpty();
  const said = await page.evaluateHandle(
    (status) => {
      const added: string[] = [];
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const { textContent } of addedNodes) added.push(textContent ?? "");
      }).observe(status as Node, { childList: true, characterData: true, subtree: true });
      return added;
    },
    await lines.elementHandle(),
  );
  await chat.send("tell me");
  await expect(chat.panel.getByText("Sending…")).toBeVisible();
  await page.clock.fastForward(8_000);
  await expect(lines.getByText(slow)).toBeVisible();
  letThrough?.();
  await expect(chat.panel.getByRole("img", { name: "Wren is answering" })).toBeVisible();
  await expect(lines.getByText(slow)).toBeVisible();
  await lab.continueReply(chatId, 3);
  await expect(chat.lastReply()).toContainText("word2");
  await expect(lines).toBeEmpty();
  // An answer that stalls after its first words says so as well.
  await page.clock.fastForward(8_000);
  await expect(lines.getByText(slow)).toBeVisible();
  await lab.continueReply(chatId);
  await chat.settled();
  await expect(chat.lastReply()).toContainText("word39");
  expect(await said.jsonValue()).toEqual([expect.stringMatching(slow), expect.stringMatching(slow)]);
});

test("announces every failed attempt to send a message", { tag: "@rare" }, async ({ chat, page }) => {
  await chat.start();
  const heard = await chat.announcements("urgent");
  const refusal = { error: { code: "invalid_json", message: "", requestId: "req_refused_here" } };
  await page.route("**/messages", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 400, json: refusal }) : route.fallback(),
  );
  await chat.send("Can you hear me?");
  const failures = async () => (await heard()).filter((said) => said.startsWith("Your message was not sent"));
  await expect.poll(failures).toHaveLength(1);
  await chat.panel.getByRole("button", { name: "Try again" }).click();
  await expect.poll(failures).toHaveLength(2);
});

test("keeps the draft across a reload and starts a new line by key", {
  ...aChat,
  tag: ["@live", "@phone"],
}, async ({ chat, page, hasTouch }) => {
  // An on-screen keyboard has no Shift+Enter: Enter starts a line there, and the button sends.
  const [lineKey, send] = hasTouch
    ? (["Enter", () => chat.sendButton.click()] as const)
    : (["Shift+Enter", () => chat.composer.press("Enter")] as const);
  await chat.open();
  await chat.composer.pressSequentially("first");
  await chat.composer.press(lineKey);
  await chat.composer.pressSequentially("second");
  await page.reload();
  await expect(chat.composer).toHaveValue("first\nsecond");
  await send();
  await expect(chat.composer).toHaveValue("");
  await chat.settled();
  await expect(chat.messages("visitor")).toContainText(["first\nsecond"]);
});

test("blocks blank and overlong text and keeps what was typed", {
  ...aChat,
  tag: ["@live", "@phone"],
}, async ({ chat, hasTouch }) => {
  await chat.open();
  const send = chat.sendButton;
  await chat.composer.fill("   \n ");
  await expect(send).toHaveAttribute("aria-disabled", "true");
  // 2,001 emoji are 4,002 UTF-16 code units.
  await chat.composer.fill("🚲".repeat(2_001));
  await expect(chat.panel.getByText("4,002 of 4,000 characters")).toBeVisible();
  if (hasTouch) await send.tap({ force: true });
  else await chat.composer.press("Enter");
  await expect(chat.composer).toHaveValue("🚲".repeat(2_001));
  await expect(chat.rows).toHaveCount(0);
  await chat.composer.fill("🚲".repeat(2_000));
  await send.click();
  await chat.settled();
  await expect(chat.messages("visitor")).toHaveCount(1);
});

test("shows the greeting from its beginning on a phone in landscape", { tag: "@rare" }, async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await chat.open();
  await expect(chat.panel.getByText("Hello! What are you looking for?")).toBeInViewport({ ratio: 1 });
  const last = chat.panel.getByRole("button", { name: "I would like to speak to a person." });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await expect(chat.jumpButton).toHaveCount(0);
  await chat.ask("Do you deliver to Ireland?");
  await expect(chat.lastReply()).toBeInViewport();
});
