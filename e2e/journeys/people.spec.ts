/** A teammate's message finds the customer, wherever they look. */
import { ChatPage } from "../support/chat-page.ts";
import { expect, news, test } from "../support/handoff.ts";
import { team } from "../support/lab.ts";
import { signIn } from "../support/sign-in.ts";

const withPriya = { mode: "teammate", teammate: "Priya N.", says: "Is it ready?" } as const;

test("a message that comes while the chat is closed is counted on its button", { tag: "@ours" }, async ({
  stage,
}) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await expect(chat.launcher).toBeFocused();
  await team.write(chatId, "Hello from the team");
  await news(chat);
  await expect(chat.launcher).toContainText("Unread messages: 1");
  await chat.launcher.click();
  await expect(chat.messages("teammate")).toContainText("Hello from the team");
  await expect(chat.panel.getByText("New messages", { exact: true })).toBeVisible();
});

test("a teammate's message comes by itself while the customer looks", { tag: "@ours" }, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  await team.write(chatId, "It is ready.");
  await news(chat);
  await expect(chat.messages("teammate")).toContainText("It is ready.");
});

test("behind another tab it comes too, and at once when the customer returns", { tag: "@ours" }, async ({
  stage,
}) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  await setVisibility(chat, "hidden");
  // The look that was due while the page was still seen; the next ones keep longer distances.
  await news(chat);
  await team.write(chatId, "It is ready.");
  await chat.page.clock.fastForward(20_000);
  await expect(chat.messages("teammate")).toContainText("It is ready.", { timeout: 30_000 });
  await expect(chat.page).toHaveTitle(/^\(1 new message\) /);

  // No timer runs now: only the return can bring the next one, however short ago the page has looked.
  await chat.page.clock.pauseAt((await chat.page.evaluate(() => Date.now())) + 5_000);
  await team.write(chatId, "Come when you like.");
  await setVisibility(chat, "visible");
  await expect(chat.messages("teammate").last()).toContainText("Come when you like.");
  await chat.page.clock.resume();
});

test("whoever returns to a page without news hears of the next ones at the pace of a page in view", {
  tag: "@ours",
}, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  await setVisibility(chat, "hidden");
  await news(chat);
  const looked = chat.page.waitForResponse(/\/messages\?/);
  await setVisibility(chat, "visible");
  await looked;
  await team.write(chatId, "It is ready.");
  await news(chat);
  await expect(chat.messages("teammate")).toContainText("It is ready.");
});

test("of two tabs one looks for news, when it may, and both show them; of a closed chat there are none", {
  tag: "@ours",
}, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  const other = new ChatPage(await chat.page.context().newPage());
  const takesOver = other.page.waitForRequest(looking);
  await other.open("/about");
  // The clock is that of both pages.
  await news(chat);
  await takesOver;
  const looks = [looksOf(chat), looksOf(other)];

  await team.write(chatId, "It is ready.");
  await news(chat);
  for (const tab of [chat, other]) await expect(tab.messages("teammate")).toContainText("It is ready.");

  const refused = other.page.waitForResponse((response) => response.status() === 429);
  const error = { code: "rate_limited", message: "", requestId: "req_too_many", retryAfterSeconds: 40 };
  await other.page.route(looking, (route) => route.fulfill({ status: 429, json: { error } }), {
    times: 1,
  });
  await news(chat);
  await refused;
  const before = looks.flat().length;
  await chat.page.clock.fastForward(30_000);
  await answered(chat, other);
  expect(looks.flat()).toHaveLength(before);
  expect(looks[0]).toEqual([]);

  await team.resolve(chatId);
  await chat.page.clock.fastForward(15_000);
  for (const tab of [chat, other]) await expect(tab.panel).toContainText("takes no more messages");
  await answered(chat, other);
  const last = looks.flat().length;
  await chat.page.clock.fastForward(10 * 60_000);
  await answered(chat, other);
  expect(looks.flat()).toHaveLength(last);
});

test("a session that has ended takes no chat from the customer, who finds it when they sign in again", {
  tag: "@ours",
}, async ({ stage }) => {
  const { chat, chatId } = await stage.customerWith(withPriya);
  const { page } = chat;
  const owner = () => page.evaluate(() => localStorage.getItem("shop-chat:1:owner"));
  const findsIt = async () => {
    await signIn(page, "maya-okafor");
    await page.goto("/about");
  };
  const endSession = async () => {
    await page.context().clearCookies();
    const refused = page.waitForResponse(
      (response) => response.url().includes(chatId) && response.status() === 404,
    );
    await page.reload();
    await refused;
    await expect.poll(owner).toBe("guest");
  };
  await endSession();
  await findsIt();
  await expect(chat.messages("visitor")).toContainText("Is it ready?");

  // A closed chat looks for the team's answer, too.
  await chat.panel.getByRole("button", { name: "Close chat" }).click();
  await endSession();
  await findsIt();
  await chat.launcher.click();
  await expect(chat.messages("visitor")).toContainText("Is it ready?");
});

const looking = /\/messages\?/;

/** The page's looks for news from now on. */
function looksOf({ page }: ChatPage): string[] {
  const looks: string[] = [];
  page.on("request", (request) => {
    if (looking.test(request.url())) looks.push(request.url());
  });
  return looks;
}

/** What these pages have asked for by now is known here. */
async function answered(...tabs: ChatPage[]): Promise<void> {
  for (const { page } of tabs) await page.evaluate(async () => (await fetch("/api/health/live")).text());
}

/** Chromium hides no page without a window system: the page is told so, as it would be by a change of tab. */
async function setVisibility({ page }: ChatPage, state: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value === "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
