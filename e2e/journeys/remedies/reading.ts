/** Codes of opening and reading a chat. */
import type { Response } from "@playwright/test";
import { type ErrorCode, errorRules } from "#lib/chat-api/errors.ts";
import { fetchOn } from "../../support/sent-body.ts";
import { signIn } from "../../support/sign-in.ts";
import { expect, expectNote, intercept, type Journey, openChat, press, type Stage, text } from "./stage.ts";

export const invalidId: Journey = async (stage) => {
  const { chat, page, world } = stage;
  await signIn(page, null, world.shopUrl);
  await page.goto(`${world.shopUrl}/?chat=short`);
  const note = await expectNote(stage, "invalid_id", /link to a conversation is not valid/i);
  await press(stage, note, "New chat");
  await chat.send(text);
  await chat.settled();
  await expect(chat.messages("agent")).toHaveCount(1);
};

// Six pages: of those before the ones that open with the chat more than one has a cursor, and one may come unasked.
const messageCount = 280;
const lastText = `Message ${messageCount}`;

async function openLongChat(stage: Stage): Promise<void> {
  const createdAt = new Date().toISOString();
  await openChat(stage, {
    messages: Array.from({ length: messageCount }, (_, index) => ({
      role: "agent",
      text: `Message ${index + 1}`,
      createdAt,
    })),
  });
  await expect(stage.chat.lastReply()).toContainText(lastText);
}

/** An older page is refused: the chat is read anew, and the customer who scrolls up notices nothing. */
async function readsAnew({ chat, page }: Stage, code: ErrorCode): Promise<void> {
  const list = chat.panel.getByRole("region", { name: "Messages" });
  const scrollUp = () => list.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  const textOf = (text: string) => chat.panel.locator("p[dir=auto]").getByText(text, { exact: true });
  let isRefused = false;
  page.on("response", (response) => {
    isRefused ||= hasCode(code)(response);
  });
  // As far as the pages go that came with the chat, and further.
  await expect.poll(() => scrollUp().then(() => isRefused)).toBe(true);
  await expect.poll(() => scrollUp().then(() => textOf("Message 1").count())).toBe(1);
  await expect(textOf(lastText)).toHaveCount(1);
  await expect(chat.rows).toHaveCount(messageCount);
  await expect(chat.panel.locator("[data-code]")).toHaveCount(0);
}

const hasCode = (code: ErrorCode) => (response: Response) =>
  response.url().includes("/messages") && response.status() === errorRules[code].status;

/** The cursor is damaged on its way. */
export const invalidCursor: Journey = async (stage) => {
  await openLongChat(stage);
  await intercept(stage, "GET", /\/messages\?.*cursor=/, async (route, request) => {
    const url = new URL(request.url());
    url.searchParams.set("cursor", "damaged");
    const headers = { ...request.headers(), "sec-fetch-site": "same-origin" };
    return route.fulfill({ response: await fetchOn(route, { url: url.href, headers }) });
  });
  await readsAnew(stage, "invalid_cursor");
};

export const cursorExpired: Journey = async (stage) => {
  await openLongChat(stage);
  await stage.lab.expireCursors();
  await readsAnew(stage, "cursor_expired");
};
