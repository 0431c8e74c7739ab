/** `<shop-chat>` that its page moves, swaps or takes out: what was asked of it is done once. */
import { aChat, ChatPage, expect, test } from "../support/chat-page.ts";
import { openElementPage, storedTexts } from "../support/element-page.ts";

const body = '<header></header><main><h1>A shop</h1><div id="place">$chat</div></main><footer></footer>';

/** How pages change around an element that they keep. */
const changes = {
  "puts it elsewhere": () => {
    const chat = document.querySelector("shop-chat");
    if (chat) document.querySelector(chat.closest("footer") ? "header" : "footer")?.append(chat);
  },
  // A placeholder takes its place, the body is replaced, and the element goes into the new one.
  "keeps it as Turbo does": () => {
    const chat = document.querySelector("shop-chat");
    const next = document.createElement("body");
    next.innerHTML = '<main><h1>Another page</h1><meta id="kept"></main><footer></footer><header></header>';
    chat?.replaceWith(document.createElement("meta"));
    document.body.replaceWith(next);
    if (chat) document.querySelector("#kept")?.replaceWith(chat);
  },
  // The new content replaces the old, and the preserved element returns in a later task.
  "keeps it as htmx does": () => {
    const chat = document.querySelector("shop-chat");
    const place = chat?.parentElement;
    if (!chat || !place) return;
    const pantry = document.createElement("div");
    document.body.append(pantry);
    pantry.append(chat);
    place.innerHTML = "<p>Swapped</p>";
    setTimeout(() => place.append(chat));
  },
  "moves it with moveBefore": () => {
    const chat = document.querySelector("shop-chat");
    if (chat) document.body.moveBefore(chat, null);
  },
};

for (const [how, change] of Object.entries(changes))
  test(`a page that ${how} sends nothing again, and changes no draft`, aChat, async ({ page }) => {
    const chat = new ChatPage(page);
    const element = page.locator("shop-chat");
    // These pages assign HTML, which the policy of Trusted Types forbids.
    await openElementPage(page, { body, policy: null });
    await expect(chat.launcher).toBeVisible();
    await element.evaluate((host) => {
      if ("send" in host && typeof host.send === "function") host.send("hello");
    });
    await expect(chat.messages("visitor")).toHaveCount(1);
    // In the middle of the request.
    await page.evaluate(change);
    await expect(chat.messages("visitor")).toHaveCount(1);
    await chat.settled();
    await page.evaluate(() =>
      window.dispatchEvent(new CustomEvent("shop-chat:open", { detail: { draft: "half" } })),
    );
    await expect(chat.composer).toHaveValue("half");
    await chat.composer.fill("my own words");
    await page.evaluate(change);
    await expect(chat.composer).toHaveValue("my own words");
    await chat.panel.getByRole("button", { name: "Close chat" }).click();
    await expect(chat.launcher).toBeVisible();
    await expect(chat.panel).toHaveCount(0);
    await page.evaluate(change);
    await expect(chat.launcher).toBeVisible();
    await expect(chat.panel).toHaveCount(0);
    await expect.poll(async () => storedTexts(page, await chat.chatId())).toEqual(["hello"]);
  });

test("stays closed if its page moves it while it closes", async ({ page }) => {
  const chat = new ChatPage(page);
  await openElementPage(page, { body });
  await chat.launcher.click();
  await expect(chat.composer).toBeEditable();
  await page.evaluate(() => {
    window.dispatchEvent(new CustomEvent("shop-chat:close"));
    const element = document.querySelector("shop-chat");
    if (element) document.querySelector("footer")?.append(element);
  });
  await expect(chat.launcher).toBeVisible();
  await expect(chat.panel).toHaveCount(0);
});

test("opens when it is put back, if it was taken out while it was loading", async ({ page }) => {
  const chat = new ChatPage(page);
  await openElementPage(page, { body });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/chat/embed/**", async (route) => {
    await released;
    await route.fallback();
  });
  await chat.launcher.click();
  const element = await page.locator("shop-chat").elementHandle();
  await element?.evaluate((host) => host.parentNode?.removeChild(host));
  const loaded = page.waitForResponse("**/api/chat/embed/**");
  release();
  await loaded;
  await element?.evaluate((host) => document.querySelector("footer")?.append(host));
  await expect(chat.composer).toBeEditable();
});

test("one of two chats in a page answers a request, and an event is told once", aChat, async ({ page }) => {
  const chat = new ChatPage(page);
  await openElementPage(page, {
    body: `<main><h1>Help</h1>$chat</main>
      <shop-chat agent-name="Wren" shop-name="Tarn &amp; Tread" mode="inline"></shop-chat>`,
  });
  await expect(page.locator("section[aria-labelledby]")).toBeVisible();
  await expect(chat.launcher).toBeVisible();
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const name of ["message_sent", "reply_done", "form_opened", "offer_shown"] as const)
      window.addEventListener(`shop-chat:${name}`, () => heard.push(name));
  });
  const ask = (send: string) =>
    page.evaluate((text) => {
      window.dispatchEvent(new CustomEvent("shop-chat:open", { detail: { send: text } }));
    }, send);
  await ask("I want to return something");
  await expect(chat.panel.getByRole("region", { name: "Form" })).toBeVisible();
  // The second chat of the page is at work from now on.
  const inline = page.locator("section[aria-labelledby]").getByLabel("Your message");
  await inline.focus();
  await expect(page.locator("section[aria-labelledby] [data-role=visitor]")).toHaveCount(1);
  await ask("I would like to speak to a person.");
  await expect(chat.panel.getByRole("button", { name: "Talk to the team" })).toBeVisible();
  await chat.settled();
  expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([
    ...["message_sent", "reply_done", "form_opened"],
    ...["message_sent", "reply_done", "offer_shown"],
  ]);
  expect(await storedTexts(page, await chat.chatId())).toEqual([
    "I want to return something",
    "I would like to speak to a person.",
  ]);
});
