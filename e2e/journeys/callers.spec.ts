/**
 * Several people share one browser. The shop's cookie alone must keep each person from seeing the previous
 * person's chat. The tests use several customers, because one customer may start only ten chats a minute in
 * all tests of a run.
 */
import { ChatPage, chats, expect, test } from "../support/chat-page.ts";
import { signIn, signOut } from "../support/sign-in.ts";

/** Signs in as a host that knows nothing of the chat would, without an event or a notice to the page. */
async function signInElsewhere(chat: ChatPage, customerId: string | null): Promise<void> {
  const context = chat.page.context();
  if (customerId === null) return signOut(context);
  const other = await context.newPage();
  await signIn(other, customerId);
  await other.close();
}

/** Simulates the customer's return to the page. Phones then fire only `visibilitychange`. */
async function comeBack({ page }: ChatPage, event: "focus" | "visibilitychange"): Promise<void> {
  await page.evaluate((name) => {
    if (name === "focus") window.dispatchEvent(new Event(name));
    else document.dispatchEvent(new Event(name));
  }, event);
}

test(
  "shows an empty chat to a guest, Salma, a guest and Lukas, one after the other",
  chats(4),
  async ({ chat }) => {
    const said: string[] = [];
    await chat.open();
    for (const customerId of [undefined, "salma-haddad", null, "lukas-brandt"]) {
      if (customerId !== undefined) {
        await signInElsewhere(chat, customerId);
        await comeBack(chat, customerId === null ? "visibilitychange" : "focus");
        await expect(chat.panel.getByText("Hello! What are you looking for?")).toBeVisible();
      }
      for (const text of said) await expect(chat.page.locator("body")).not.toContainText(text);
      await expect.poll(() => storedValues(chat)).not.toContain("half a question");
      const text = `hello from number ${said.length + 1}`;
      await chat.ask(text);
      await chat.composer.fill(`half a question after ${text}`);
      said.push(text);
      await chat.page.reload();
      await expect(chat.messages("visitor")).toContainText([text]);
      await expect(chat.messages("visitor")).toHaveCount(1);
    }
  },
);

test("leaves no announcement to the person who comes next", { ...chats(2), tag: ["@live", "@rare"] }, async ({
  chat,
}) => {
  await signIn(chat.page, "salma-haddad");
  await chat.start();
  const regions = chat.page.locator("[data-announcements]");
  await expect(regions.first()).not.toBeEmpty();
  await signInElsewhere(chat, null);
  await comeBack(chat, "focus");
  await expect(chat.messages("visitor")).toHaveCount(0);
  expect(await regions.allTextContents()).toEqual(["", ""]);
});

/** The values that this browser's storage holds for the current customer or guest. */
async function storedValues({ page }: ChatPage): Promise<string> {
  return page.evaluate(() => {
    const owner = localStorage.getItem("shop-chat:1:owner") ?? "guest";
    const names = Object.keys(localStorage).filter((name) => name.startsWith(`shop-chat:1:${owner}:`));
    return names.map((name) => localStorage.getItem(name)).join("\n");
  });
}

test(
  "shows no customer data on a reload after sign-out, even before a response",
  chats(1),
  async ({ chat }) => {
    const { page } = chat;
    await signIn(page, "kenji-mori");
    await chat.start();
    await chat.composer.fill("a secret of Kenji's");
    await signInElsewhere(chat, null);
    const answer = await chat.hold("**/api/chat/session");
    const asked = page.waitForRequest("**/api/chat/session");
    await page.reload();
    await asked;
    await expect(page.getByText("a secret of Kenji's")).toHaveCount(0);
    await expect(chat.messages("visitor")).toHaveCount(0);
    await expect(chat.composer).toHaveValue("");
    answer();
    await expect(chat.panel.getByText("Hello! What are you looking for?")).toBeVisible();
    await expect(chat.composer).toHaveValue("");
  },
);

test("shows in two tabs what a guest's sign-in kept from being sent, and sends it once", async ({ chat }) => {
  const context = chat.page.context();
  const error = { code: "service_unavailable", message: "", requestId: "req_down", retryAfterSeconds: 40 };
  await context.route("**/api/chat/chats", (route) => route.fulfill({ status: 503, json: { error } }));
  await chat.open();
  const other = new ChatPage(await context.newPage());
  await other.open();
  await chat.send("Where is my order?");
  await signInElsewhere(chat, "salma-haddad");
  await comeBack(chat, "focus");
  await context.unroute("**/api/chat/chats");
  for (const tab of [chat, other]) {
    await expect(tab.composer).toHaveValue("Where is my order?");
    await expect(tab.messages("visitor")).toHaveCount(0);
  }
  await chat.expectAccessible();
  await chat.composer.press("Enter");
  await chat.settled();
  for (const tab of [chat, other]) {
    await expect(tab.messages("agent").last()).toBeVisible();
    await expect(tab.composer).toHaveValue("");
  }
  await expect(other.messages("visitor")).toHaveCount(1);
});
