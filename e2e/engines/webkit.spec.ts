/** The main journeys in WebKit. */
import { writeFile } from "node:fs/promises";
import { png } from "../support/attachments.ts";
import { returnForm } from "../support/cards.ts";
import { heardAnnouncements, recordAnnouncements } from "../support/chat-page.ts";
import { heldReply, lab, team } from "../support/lab.ts";
import { keys } from "./web-driver.ts";
import { expect, test } from "./webkit-chat.ts";

const messageTexts = "[data-role] [dir=auto]";

test("shows a reply's source and announces a streamed reply once", async ({ chat }) => {
  await chat.open();
  await chat.ask("Do you deliver to Ireland?");
  expect(await chat.text("[data-role=agent]")).toContain("Ireland");
  await chat.browser.click(await chat.find("summary", "source"));
  const address = await chat.browser.run(
    () => document.querySelector("dialog[open] [data-role=agent] li a")?.getAttribute("href") ?? "",
  );
  expect(address).toContain("/help/");

  await chat.browser.run(recordAnnouncements, "polite");
  const chatId = await chat.chatId();
  await lab.reply(chatId, heldReply());
  await chat.send("tell me");
  // The beginning of the reply is on screen before its end is written.
  await expect.poll(() => chat.text("[data-role=agent] [dir=auto]")).toContain("word3");
  expect(await chat.text()).not.toContain("word39");
  await lab.continueReply(chatId);
  await expect.poll(() => chat.text()).toContain("word39");
  await chat.settled();
  const heard = await chat.browser.run(heardAnnouncements);
  expect(heard.filter((said) => said !== "")).toEqual([
    expect.stringContaining("is answering"),
    expect.stringContaining("word0 word1"),
  ]);
});

test("corrects and sends a form by keyboard", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, { text: "Please fill this in.", collection: returnForm });
  await chat.ask("I want to return something");
  const email = await chat.find("input[type=email]");
  await chat.browser.type(email, "ana");
  await chat.browser.press(keys.enter);
  await expect.poll(() => chat.count("input[aria-invalid=true]")).toBe(1);
  await expect.poll(() => chat.focused()).toContain("Email");
  await chat.browser.type(email, "@example.com");
  await chat.browser.press(keys.tab);
  await expect.poll(() => chat.focused()).toContain("Too big");
  await chat.browser.press(keys.arrowDown);
  await expect.poll(() => chat.focused()).toContain("Damaged");
  await chat.browser.press(keys.enter);
  await expect.poll(() => chat.text()).toContain("Sent. Thank you.");
});

test("attaches, sends and opens a picture", async ({ chat }, testInfo) => {
  const path = testInfo.outputPath("hub.png");
  await writeFile(path, png);
  await chat.start();
  // The button opens the system's file dialog, so the test uses the hidden file input.
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

test("recovers from an error, reaches a person and ends the chat", async ({ chat }) => {
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
  await chat.find("button", "Talk to the team");
  // The offer asks for an email address only outside the team's hours.
  if ((await chat.text()).includes("by email")) {
    await chat.browser.type(await chat.find("input[type=email]"), "ana@example.com");
  }
  await chat.press("Talk to the team");
  await expect.poll(() => chat.text()).toContain("Waiting since");
  await team.claim(chatId, "Priya N.");
  await expect.poll(() => chat.text()).toContain("From our team");
  await team.write(chatId, "Hello, Priya here.");
  await expect.poll(() => chat.text("[data-role=teammate]")).toContain("Hello, Priya here.");
  await team.resolve(chatId);
  await expect.poll(() => chat.text()).toContain("This chat is closed.");
});

test("finishes a reply once after a reload and keeps the draft", async ({ chat }) => {
  const chatId = await chat.start();
  await lab.reply(chatId, heldReply());
  await chat.send("tell me");
  await expect.poll(() => chat.text()).toContain("word3");
  await chat.browser.type(await chat.find("textarea", "Your message"), "and then");
  await chat.browser.press(keys.shift, keys.enter);
  await chat.browser.reload();
  await chat.listen();
  await expect.poll(() => chat.text()).toContain("word3");
  await lab.continueReply(chatId);
  await expect.poll(() => chat.text()).toContain("word39");
  await chat.settled();
  expect((await chat.text("[data-role=agent] [dir=auto]")).match(/word39/g)).toHaveLength(1);
  const draft = () =>
    chat.browser.run(() => document.querySelector<HTMLTextAreaElement>("dialog[open] textarea")?.value);
  expect(await draft()).toBe("and then\n");
  // The field grows to two lines, even without CSS `field-sizing`.
  const height = () =>
    chat.browser.run(
      () => document.querySelector<HTMLTextAreaElement>("dialog[open] textarea")?.offsetHeight,
    );
  await expect.poll(height).toBeGreaterThan(55);
});

test("shows a chat in two windows and continues when one closes", async ({ chat }) => {
  const chatId = await chat.start();
  const { browser } = chat;
  const first = await browser.current();
  await browser.openWindow();
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
  await lab.continueReply(chatId);
  await expect.poll(() => chat.text(messageTexts)).toContain("word39");
  await chat.settled();
  expect((await chat.text(messageTexts)).match(/word39/g)).toHaveLength(1);
});

test("opens a long chat at its end, loads earlier messages, and returns to its end", async ({ chat }) => {
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
  const topOf = (text: string) =>
    chat.browser.run((wanted) => {
      const row = [...document.querySelectorAll("dialog[open] [data-role] p[dir=auto]")].find((element) =>
        element.textContent?.startsWith(wanted),
      );
      return row?.getBoundingClientRect().y ?? null;
    }, text);
  await expect.poll(() => topOf("Message 399.")).toBeLessThan(940);
  // A date of this year is shown without the year in every engine.
  expect((await chat.text()).includes("2026")).toBe(new Date().getFullYear() !== 2026);

  const drawn = await chat.count("[data-role]");
  await chat.browser.run(() => {
    const row = [...document.querySelectorAll("dialog[open] [data-role] p[dir=auto]")].find((element) =>
      element.textContent?.startsWith("Message 362."),
    );
    row?.scrollIntoView({ block: "center" });
  });
  await expect.poll(() => chat.count("[data-role]")).toBeGreaterThan(drawn);
  await chat.press("Jump to the latest message");
  await expect.poll(() => topOf("Message 399.")).toBeLessThan(940);
});
