/** What a customer does, in WebKit. */
import { writeFile } from "node:fs/promises";
import { png } from "../contract/support/samples.ts";
import { helmet, repair } from "../support/helmet-and-repair.ts";
import { heldReply, lab, team } from "../support/lab.ts";
import { returnForm } from "../support/return-form.ts";
import { keys } from "./web-driver.ts";
import { expect, test } from "./webkit-chat.ts";

const messageTexts = "[data-role] [dir=auto]";

test("a question is answered with a source, by a stream, and heard once", async ({ chat }) => {
  await chat.open();
  await chat.ask("Do you deliver to Ireland?");
  expect(await chat.text("[data-role=agent]")).toContain("Ireland");
  await chat.browser.click(await chat.find("summary", "source"));
  const address = await chat.browser.run(
    () => document.querySelector("dialog[open] [data-role=agent] li a")?.getAttribute("href") ?? "",
  );
  expect(address).toContain("/help/");

  await chat.browser.run(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const region = document.querySelector('[data-announcements="polite"]');
    if (region === null) throw new Error("the live region is not there before it is used");
    new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const chatId = await chat.chatId();
  await lab.reply(chatId, heldReply());
  await chat.send("tell me");
  // The beginning is on screen before the end is written.
  await expect.poll(() => chat.text("[data-role=agent] [dir=auto]")).toContain("word3");
  expect(await chat.text()).not.toContain("word39");
  await lab.goOn(chatId);
  await expect.poll(() => chat.text()).toContain("word39");
  await chat.settled();
  const heard = await chat.browser.run(() => (window as unknown as { heard: string[] }).heard);
  expect(heard.filter((said) => said !== "")).toEqual([
    expect.stringContaining("is answering"),
    expect.stringContaining("word0 word1"),
  ]);
});

test("products, an order, replies to pick", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, {
    text: "Here is what I found.",
    products: [helmet],
    orders: [repair],
    choices: ["Call the workshop", "Thank you"],
  });
  await chat.ask("what do you know?");
  // The cards' own script loads when the first one comes.
  for (const text of ["£64", "Kestrel helmet", "W-2231", "Kelderby"])
    await expect.poll(() => chat.text("[data-role=agent]")).toContain(text);
  await chat.press("Thank you");
  await expect.poll(() => chat.text("[data-role=visitor]")).toContain("Thank you");
  await chat.settled();
});

test("a form with a fault is mended and sent, by keyboard", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: returnForm });
  await chat.ask("I want to return something");
  const email = await chat.find("input[type=email]");
  await chat.browser.type(email, "ana");
  await chat.browser.press(keys.enter);
  await expect.poll(() => chat.count("input[aria-invalid=true]")).toBe(1);
  await expect.poll(() => chat.focused()).toContain("E-mail");
  await chat.browser.type(email, "@example.com");
  await chat.browser.press(keys.tab);
  await expect.poll(() => chat.focused()).toContain("Too big");
  await chat.browser.press(keys.arrowDown);
  await expect.poll(() => chat.focused()).toContain("Damaged");
  await chat.browser.press(keys.enter);
  await expect.poll(() => chat.text()).toContain("Sent. Thank you.");
});

test("a picture is attached, sent and looked at", async ({ chat }, testInfo) => {
  const path = testInfo.outputPath("hub.png");
  await writeFile(path, png);
  await chat.start();
  // Its button opens the system's own window: the choice of files itself is out of sight.
  await chat.browser.type(await chat.fileChooser(), path);
  await chat.find("button", "Remove hub.png");
  await chat.send("The hub");
  await chat.settled();
  await chat.press("Open hub.png");
  await chat.find("button", "Close picture");
  const picture = () =>
    chat.browser.run(
      () => document.querySelector<HTMLImageElement>("dialog[open] dialog[open] img")?.naturalWidth,
    );
  await expect.poll(picture).toBeGreaterThan(0);
  await expect.poll(() => chat.focused()).toContain("Download");
  await chat.browser.press(keys.escape);
  await expect.poll(() => chat.count("dialog[open]")).toBe(0);
  await expect.poll(() => chat.focused()).toContain("Open hub.png");
});

test("an error and its button; a person; the end of the conversation", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.fault(chatId, { operation: "sendMessage", code: "invalid_request" });
  await chat.send("Can you hear me?");
  await expect.poll(() => chat.text("[data-code=invalid_request]")).toContain("not accepted as it is");
  await chat.press("Edit");
  const draft = () =>
    chat.browser.run(() => document.querySelector<HTMLTextAreaElement>("dialog[open] textarea")?.value);
  await expect.poll(draft).toBe("Can you hear me?");

  await expect.poll(() => chat.focused()).toContain("Your message");

  await lab.reply(chatId, { text: "Of course.", handoffOffer: true });
  await chat.browser.press(keys.enter);
  await chat.find("button", "Pass me to the team");
  // Asked for while the team is away, which depends on the hour.
  if ((await chat.count("input[type=email]")) > 0) {
    await chat.browser.type(await chat.find("input[type=email]"), "ana@example.com");
  }
  await chat.press("Pass me to the team");
  await expect.poll(() => chat.text()).toContain("Waiting since");
  await team.claim(chatId, "Priya N.");
  await expect.poll(() => chat.text()).toContain("You are talking to Priya N.");
  await team.write(chatId, "Hello, Priya here.");
  await expect.poll(() => chat.text("[data-role=teammate]")).toContain("Hello, Priya here.");
  await team.resolve(chatId);
  await expect.poll(() => chat.text()).toContain("takes no more messages");
});

test("the menu by keyboard, search, previous chats", async ({ chat }) => {
  await chat.start();
  await chat.ask("Do you deliver to Ireland?");
  const { browser } = chat;
  await browser.click(await chat.find("button", "More"));
  await expect.poll(() => chat.focused()).toContain("Search this chat");
  await browser.press(keys.arrowDown);
  await expect.poll(() => chat.focused()).toContain("Previous chats");
  await browser.press(keys.home);
  await expect.poll(() => chat.focused()).toContain("Search this chat");
  await browser.press(keys.enter);
  await browser.type(await chat.find("input[type=search]"), "ireland");
  await expect.poll(() => chat.text()).toMatch(/1 of \d+ messages?/);
  await browser.press(keys.escape);
  await expect.poll(() => chat.count("input[type=search]")).toBe(0);
  await browser.click(await chat.find("button", "More"));
  await expect.poll(() => chat.focused()).toContain("Search this chat");
  await browser.press(keys.arrowDown);
  await browser.press(keys.enter);
  await expect.poll(() => chat.text()).toContain("On screen now");
});

test("a reload in the middle of a reply shows it finish, once; the draft is kept", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, heldReply());
  await chat.send("tell me");
  await expect.poll(() => chat.text()).toContain("word3");
  await chat.browser.type(await chat.find("textarea", "Your message"), "and then");
  await chat.browser.press(keys.shift, keys.enter);
  await chat.browser.reload();
  await chat.listen();
  await expect.poll(() => chat.text()).toContain("word3");
  await lab.goOn(chatId);
  await expect.poll(() => chat.text()).toContain("word39");
  await chat.settled();
  expect((await chat.text("[data-role=agent] [dir=auto]")).match(/word39/g)).toHaveLength(1);
  const draft = () =>
    chat.browser.run(() => document.querySelector<HTMLTextAreaElement>("dialog[open] textarea")?.value);
  expect(await draft()).toBe("and then\n");
  // Two lines are two lines high, where the style alone does not see to it, too.
  const height = () =>
    chat.browser.run(
      () => document.querySelector<HTMLTextAreaElement>("dialog[open] textarea")?.offsetHeight,
    );
  await expect.poll(height).toBeGreaterThan(55);
});

test("two windows show the same chat; one that closes leaves its reply to the other", async ({ chat }) => {
  const chatId = await chat.start();
  const { browser } = chat;
  const first = await browser.current();
  await browser.open("window");
  const second = await browser.current();
  await chat.open();
  await expect.poll(() => chat.text("[data-role=visitor]")).toContain("hello");
  await chat.ask("Do you deliver to Ireland?");
  const said = await chat.text(messageTexts);
  await browser.switchTo(first);
  await expect.poll(() => chat.text(messageTexts)).toBe(said);

  await lab.reply(chatId, heldReply());
  await chat.send("tell me");
  await expect.poll(() => chat.text(messageTexts)).toContain("word3");
  await browser.close();
  await browser.switchTo(second);
  await lab.goOn(chatId);
  await expect.poll(() => chat.text(messageTexts)).toContain("word39");
  await chat.settled();
  expect((await chat.text(messageTexts)).match(/word39/g)).toHaveLength(1);
});

test("a tab that is behind another follows the chat", async ({ chat }) => {
  await chat.start();
  const { browser } = chat;
  const first = await browser.current();
  await browser.open("tab");
  const behind = await browser.current();
  await chat.open();
  expect(await browser.run(() => document.visibilityState)).toBe("hidden");
  await browser.switchTo(first);
  await chat.ask("Do you deliver to Ireland?");
  const said = await chat.text(messageTexts);
  await browser.switchTo(behind);
  await expect.poll(() => chat.text(messageTexts)).toBe(said);
});

test("a long chat opens at its end, and older pages that come in above move nothing", async ({ chat }) => {
  await chat.start();
  const id = `webkit_long_${Date.now()}`;
  const start = Date.parse("2026-03-01T08:00:00.000Z");
  await lab.importChat({
    id,
    userId: await chat.userId(),
    createdAt: new Date(start).toISOString(),
    messages: Array.from({ length: 400 }, (_, index) => ({
      role: index % 2 === 0 ? "visitor" : "agent",
      text: `Message ${index}. ${"Words about bicycles. ".repeat(index % 5)}`,
      createdAt: new Date(start + index * 60_000).toISOString(),
    })),
  });
  await chat.visit(`/?chat=${id}`);
  const place = (text: string) =>
    chat.browser.run((wanted) => {
      const row = [...document.querySelectorAll("dialog[open] [data-role] p[dir=auto]")].find((element) =>
        element.textContent?.startsWith(wanted),
      );
      return row?.getBoundingClientRect().y ?? null;
    }, text);
  await expect.poll(() => place("Message 399.")).toBeLessThan(940);
  // A day of this year is named without it, whatever this engine makes of the date formats of other languages.
  expect((await chat.text()).includes("2026")).toBe(new Date().getFullYear() !== 2026);

  const drawn = await chat.count("[data-role]");
  const before = await chat.browser.run(() => {
    const row = [...document.querySelectorAll("dialog[open] [data-role] p[dir=auto]")].find((element) =>
      element.textContent?.startsWith("Message 362."),
    );
    row?.scrollIntoView({ block: "center" });
    return row?.getBoundingClientRect().y ?? 0;
  });
  await expect.poll(() => chat.count("[data-role]")).toBeGreaterThan(drawn);
  expect(Math.abs(((await place("Message 362.")) ?? 0) - before)).toBeLessThan(3);
  await chat.press("Jump to the latest message");
  await expect.poll(() => place("Message 399.")).toBeLessThan(940);
});
