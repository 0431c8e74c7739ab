/** Drafts, files and unsent messages stay with their chat and their customer. */
import { aNote } from "../support/attachments.ts";
import { aChat, ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { team } from "../support/lab.ts";
import { customerTag, signIn } from "../support/sign-in.ts";

test(
  "asks the customer about a message unsent for days unless it was stored",
  aChat,
  async ({ chat, page }) => {
    await chat.start();
    const [old, delivered] = ["do you still mend hubs?", "hello"];
    await page.evaluate(
      (texts) => {
        const current: { chatId: string; createKey: string } = JSON.parse(
          localStorage.getItem("shop-chat:1:guest:current") ?? "{}",
        );
        const records = texts.map((text, index) => ({
          ...current,
          key: `key-of-long-ago-${index}`,
          locale: "en",
          text,
          files: [],
          afterMessageId: null,
          createdAt: Date.now() - 48 * 60 * 60 * 1_000 + index,
          attempted: true,
          refusal: null,
        }));
        localStorage.setItem("shop-chat:1:guest:outbox", JSON.stringify(records));
      },
      [old, delivered],
    );
    await page.reload();
    const refusedMessage = chat.panel.locator("[data-delivery=refused]");
    await expect(refusedMessage).toContainText(old);
    await expect(chat.messages("visitor")).toHaveCount(2);
    await chat.panel.getByRole("button", { name: "Try again" }).click();
    await chat.settled();
    await expect(chat.messages("visitor")).toHaveCount(2);
    await expect(chat.messages("visitor").last()).toContainText(old);
  },
);

test(
  "shares the draft between tabs and clears it in both after sending",
  aChat,
  async ({ chat, context }) => {
    await chat.start();
    const other = new ChatPage(await context.newPage());
    await other.open();
    await chat.composer.fill("half a question");
    await expect(other.composer).toHaveValue("half a question");
    await chat.ask("a whole question");
    await expect(other.messages("visitor")).toHaveCount(2);
    await expect(other.composer).toHaveValue("");
  },
);

test("continues an upload behind the list of chats and repeats none in a new chat", { tag: "@lab" }, async ({
  chat,
  page,
  hasTouch,
}) => {
  const chatId = await chat.start();
  const release = await chat.hold("**/files");
  await chat.attach(aNote());
  await expect(chat.panel.getByRole("button", { name: "Cancel uploading notes.txt" })).toBeVisible();
  await chat.choose("Previous chats");
  await chat.panel.getByRole("button", { name: "Back to the chat" }).click();
  // Focus in the message field would open a phone's keyboard over the conversation.
  await expect(hasTouch ? chat.panel.getByRole("heading", { level: 2 }) : chat.composer).toBeFocused();
  release();
  await expect(chat.panel.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
  await chat.ask("One file");

  await team.resolve(chatId);
  await chat.send("one more thing");
  await chat.panel.getByText("This chat is closed.", { exact: true }).waitFor();
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/files")) uploads.push(request.url());
  });
  await chat.panel.getByRole("button", { name: "New chat" }).last().click();
  await chat.ask("hello");
  await expect(chat.messages("visitor")).toHaveCount(1);
  expect(uploads).toEqual([]);
});

test(
  "keeps files with their chat and aborts an upload when another chat opens",
  chats(2),
  async ({ chat, page }) => {
    await chat.start();
    await chat.attach(aNote());
    const attached = chat.panel.getByRole("list", { name: "Attached files" });
    await expect(attached.getByRole("button", { name: "Remove notes.txt" })).toBeVisible();
    const release = await chat.hold("**/files");
    await chat.attach(aNote("late.txt"));
    await expect(attached.getByRole("button", { name: "Cancel uploading late.txt" })).toBeVisible();

    const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/files"));
    await chat.panel.getByRole("button", { name: "New chat" }).click();
    await expect(attached).toHaveCount(0);
    release();
    await ended;
    await chat.ask("hello again");
    await expect(chat.messages("visitor").last().getByText("notes.txt")).toHaveCount(0);

    await chat.choose("Previous chats");
    await chat.panel.getByRole("button", { name: /^hello(?! again)/ }).click();
    await expect(attached.getByRole("listitem")).toHaveText([/late\.txt.*is not attached/, /notes\.txt/]);
    await attached.getByRole("button", { name: "Remove late.txt" }).click();
    await chat.ask("and my notes");
    await expect(chat.messages("visitor").last()).toContainText("notes.txt");
  },
);

test("assigns text typed before the session is known to the customer", aChat, async ({ chat, page }) => {
  await signIn(page, "maya-okafor");
  const answer = await chat.hold("**/api/chat/session");
  await chat.open();
  await chat.send("a whole question");
  await chat.composer.fill("half a question");
  answer();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop-chat:1:owner")))
    .toMatch(customerTag);
  await expect(chat.answers).toHaveCount(1);
  await chat.settled();
  await expect(chat.messages("visitor")).toContainText(["a whole question"]);
  await expect(chat.messages("visitor")).toHaveCount(1);
  await expect(chat.composer).toHaveValue("half a question");
  // Nothing remains for guests in this browser.
  const left = await page.evaluate(() =>
    Object.entries(localStorage).filter(([name]) => name.startsWith("shop-chat:1:guest:")),
  );
  expect(JSON.stringify(left)).not.toContain("question");
});

test("does not send a guest's failed message for the signed-in customer", { tag: "@ours" }, async ({
  chat,
  page,
}) => {
  await chat.open();
  await page.route("**/api/chat/chats", (route) => route.abort());
  await chat.send("a guest's question");
  await expect(chat.panel.locator("[data-delivery=waiting]")).toContainText("a guest's question");
  await signIn(page, "maya-okafor");
  await page.unroute("**/api/chat/chats");
  const created: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/chat/chats")) created.push(request.method());
  });
  await page.goto("/about");
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop-chat:1:owner")))
    .toMatch(customerTag);
  await expect(chat.panel.getByText("Hello! What are you looking for?")).toBeVisible();
  // The round trip ensures that Playwright has reported all earlier requests.
  await page.evaluate(async () => (await fetch("/api/chat/health/live")).text());
  expect(created).toEqual([]);
  await expect(chat.messages("visitor")).toHaveCount(0);
});

test(
  "opens a linked chat once and keeps the current chat across a reload",
  chats(2),
  async ({ chat, page }) => {
    const chatId = await chat.start();
    await page.goto(`/?chat=${chatId}`);
    await expect(chat.messages("visitor")).toHaveCount(1);
    await chat.panel.getByRole("button", { name: "New chat" }).click();
    await chat.ask("Do you sell pumps?");
    await page.reload();
    await expect(chat.messages("visitor")).toContainText("Do you sell pumps?");
  },
);

test(
  "returns the menu's focus, reads each chat once and shows a failed list",
  aChat,
  async ({ chat, page }) => {
    await chat.start();
    const more = chat.panel.getByRole("button", { name: "More", exact: true });
    await more.click();
    await expect(page.getByRole("menuitem", { name: "Search this chat" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(more).toBeFocused();
    await more.click();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("menuitem", { name: "Previous chats" }).click();
    await expect(chat.panel.getByRole("button", { name: /^hello/ })).toBeVisible();
    expect(asked.filter((path) => path.startsWith("/api/chat/chats/"))).toHaveLength(1);
    await chat.panel.getByRole("button", { name: "Back to the chat" }).click();
    await page.route("**/api/chat/chats/**", (route) => route.abort());
    await more.click();
    await page.getByRole("menuitem", { name: "Previous chats" }).click();
    const failed = chat.panel.getByText("We can’t load your previous chats right now.");
    await expect(failed).toBeVisible();
    await expect(chat.panel.getByRole("button", { name: /^hello/ })).toHaveCount(0);
    await page.unroute("**/api/chat/chats/**");
    await chat.panel.getByRole("button", { name: "Try again" }).click();
    await expect(chat.panel.getByRole("button", { name: /^hello/ })).toBeVisible();
    await expect(failed).toBeHidden();
  },
);
