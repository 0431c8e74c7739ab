/** Remedies for errors of opening and reading a chat. */
import type { Response } from "@playwright/test";
import { type ErrorCode, responseOf } from "#lib/chat-api/errors.ts";
import { responseTo } from "../../support/response-to.ts";
import { signIn } from "../../support/sign-in.ts";
import {
  expect,
  expectNote,
  intercept,
  type Journey,
  openChat,
  press,
  type RemedyFixtures,
  text,
} from "./remedy-test.ts";

export const invalidId: Journey = async (fixtures) => {
  const { chat, page, environment } = fixtures;
  await signIn(page, null, environment.shopUrl);
  await page.goto(`${environment.shopUrl}/?chat=short`);
  const note = await expectNote(fixtures, "invalid_id", /link to a conversation is not valid/i);
  await press(fixtures, note, "New chat");
  await chat.send(text);
  await chat.settled();
  await expect(chat.messages("agent")).toHaveCount(1);
};

// Six pages, so that more than one cursor remains above the pages that open with the chat and are preloaded.
const messageCount = 280;
const lastText = `Message ${messageCount}`;

async function openLongChat(fixtures: RemedyFixtures): Promise<void> {
  const createdAt = new Date().toISOString();
  await openChat(fixtures, {
    messages: Array.from({ length: messageCount }, (_, index) => ({
      role: "agent",
      text: `Message ${index + 1}`,
      createdAt,
    })),
  });
  await expect(fixtures.chat.lastReply()).toContainText(lastText);
}

/** The request for earlier messages is refused. The chat reads its messages again, without an error note. */
async function readsAllAgain({ chat, page }: RemedyFixtures, code: ErrorCode): Promise<void> {
  const list = chat.panel.getByRole("region", { name: "Messages" });
  const scrollUp = () => list.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  const textOf = (text: string) => chat.panel.locator("p[dir=auto]").getByText(text, { exact: true });
  let isRefused = false;
  page.on("response", (response) => {
    isRefused ||= hasCode(code)(response);
  });
  // Scrolls past the pages that opened with the chat.
  await expect.poll(() => scrollUp().then(() => isRefused)).toBe(true);
  await expect.poll(() => scrollUp().then(() => textOf("Message 1").count())).toBe(1);
  await expect(textOf(lastText)).toHaveCount(1);
  await expect(chat.rows).toHaveCount(messageCount);
  await expect(chat.panel.locator("[data-code]")).toHaveCount(0);
}

const hasCode = (code: ErrorCode) => (response: Response) =>
  response.url().includes("/messages") && response.status() === responseOf(code).status;

/** Replaces the cursor of a request by an invalid one. */
export const invalidCursor: Journey = async (fixtures) => {
  await openLongChat(fixtures);
  await intercept(fixtures, "GET", /\/messages\?.*cursor=/, async (route, request) => {
    const url = new URL(request.url());
    url.searchParams.set("cursor", "damaged");
    const headers = { ...request.headers(), "sec-fetch-site": "same-origin" };
    return route.fulfill({ response: await responseTo(route, { url: url.href, headers }) });
  });
  await readsAllAgain(fixtures, "invalid_cursor");
};

export const cursorExpired: Journey = async (fixtures) => {
  await openLongChat(fixtures);
  await fixtures.lab.expireCursors();
  await readsAllAgain(fixtures, "cursor_expired");
};
