import { type ErrorCode, responseOf } from "#lib/chat-api/errors.ts";
import { signIn } from "../../support/sign-in.ts";
import {
  expect,
  expectNote,
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

/** Returns the chat's ID. */
async function openLongChat(fixtures: RemedyFixtures): Promise<string> {
  const createdAt = new Date().toISOString();
  const chatId = await openChat(fixtures, {
    messages: Array.from({ length: messageCount }, (_, index) => ({
      role: "agent",
      text: `Message ${index + 1}`,
      createdAt,
    })),
  });
  await expect(fixtures.chat.lastReply()).toContainText(lastText);
  return chatId;
}

/** The Chat API refuses a cursor of the chat server, which reads the pages again. The chat shows no error. */
async function readsAllAgain({ chat, lab }: RemedyFixtures, chatId: string, code: ErrorCode): Promise<void> {
  const list = chat.panel.getByRole("region", { name: "Messages" });
  const scrollUp = () => list.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  const textOf = (text: string) => chat.panel.locator("p[dir=auto]").getByText(text, { exact: true });
  await expect.poll(() => scrollUp().then(() => textOf("Message 1").count())).toBe(1);
  const refused = await lab.requests({ chatId, status: responseOf(code).status });
  expect(refused.map((request) => request.code)).toContain(code);
  await expect(textOf(lastText)).toHaveCount(1);
  await expect(chat.rows).toHaveCount(messageCount);
  await expect(chat.panel.locator("[data-code]")).toHaveCount(0);
}

export const invalidCursor: Journey = async (fixtures) => {
  const chatId = await openLongChat(fixtures);
  await fixtures.lab.addFault({
    chatId,
    operation: "listMessages",
    fault: "error",
    code: "invalid_cursor",
  });
  await readsAllAgain(fixtures, chatId, "invalid_cursor");
};

export const cursorExpired: Journey = async (fixtures) => {
  const chatId = await openLongChat(fixtures);
  await fixtures.lab.expireCursors();
  await readsAllAgain(fixtures, chatId, "cursor_expired");
};
