import { aChat, expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";

test("a question about delivery gets a cited answer", { tag: "@ours" }, async ({ chat, page }) => {
  await chat.open();
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

test("a question about helmets shows three of them", { tag: "@ours" }, async ({ chat }) => {
  await chat.open();
  const reply = await chat.ask("which helmets do you have?");
  const cards = reply.getByRole("list", { name: "Products" }).getByRole("link");
  await expect(cards).toHaveCount(3);
  await expect(reply.getByText(/£\d/).first()).toBeVisible();
  await chat.expectAccessible();
});

test("what the shop does not know is answered honestly", { tag: "@ours" }, async ({ chat }) => {
  await chat.open();
  const reply = await chat.ask("What is the capital of Mongolia?");
  await expect(reply).toContainText(/(do not|don’t|don't) know|could not find|no answer/i);
});

test("a message is sent, stored and answered once", aChat, async ({ chat }) => {
  await chat.open();
  await chat.ask("hello");
  await expect(chat.messages("visitor")).toHaveCount(1);
  await expect(chat.answers).toHaveCount(1);
});

test("screen readers hear the finished answer once, not its parts", { tag: "@ours" }, async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, heldReply());
  const announcements = await chat.announcements();
  await chat.send("tell me");
  await expect(chat.panel.locator("[aria-busy=true]")).toContainText("word4");
  await lab.goOn(chatId);
  await chat.settled();
  await expect
    .poll(async () => (await announcements()).filter((said) => said !== ""))
    .toEqual([expect.stringContaining("is answering"), expect.stringMatching(/word0 word1 .*word39/)]);
});

test("screen readers hear each time that a message could not be sent", aChat, async ({ chat, page }) => {
  await chat.start();
  const heard = await chat.announcements("urgent");
  const refusal = { error: { code: "invalid_json", message: "", requestId: "req_refused_here" } };
  await page.route("**/messages", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 400, json: refusal }) : route.fallback(),
  );
  await chat.send("Can you hear me?");
  const refused = async () => (await heard()).filter((said) => said.startsWith("Your message was not sent"));
  await expect.poll(refused).toHaveLength(1);
  await chat.panel.getByRole("button", { name: "Try again" }).click();
  await expect.poll(refused).toHaveLength(2);
});

test("the draft is kept over a reload, and a key starts a line", aChat, async ({ chat, page, hasTouch }) => {
  // The keyboard on a screen has no Shift+Enter: there Enter starts a line, and the button sends.
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

test(
  "more than 4,000 units and blank text cannot be sent, and nothing typed is lost",
  aChat,
  async ({ chat, hasTouch }) => {
    await chat.open();
    const send = chat.sendButton;
    await chat.composer.fill("   \n ");
    await expect(send).toHaveAttribute("aria-disabled", "true");
    // 2,001 emoji are 4,002 units.
    await chat.composer.fill("🚲".repeat(2_001));
    await expect(chat.panel.getByText("2 characters too long")).toBeVisible();
    if (hasTouch) await send.tap({ force: true });
    else await chat.composer.press("Enter");
    await expect(chat.composer).toHaveValue("🚲".repeat(2_001));
    await expect(chat.rows).toHaveCount(0);
    await chat.composer.fill("🚲".repeat(2_000));
    await send.click();
    await chat.settled();
    await expect(chat.messages("visitor")).toHaveCount(1);
  },
);
