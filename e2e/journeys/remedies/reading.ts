/** Codes of opening and reading a chat. */
import type { Response } from "@playwright/test";
import { type ErrorCode, errorRules } from "#lib/chat-api/errors.ts";
import { signIn } from "../../support/sign-in.ts";
import { expect, expectNote, type Journey, openChat, press, type Stage, text } from "./stage.ts";

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

const messageCount = 120;
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

/** The pages are read anew, and the customer notices nothing. */
async function readsAnew({ chat, page }: Stage, code: ErrorCode): Promise<void> {
  const refusal = page.waitForResponse(hasCode(code));
  await page.reload();
  await refusal;
  await expect(chat.lastReply()).toContainText(lastText);
  await expect(chat.rows.filter({ hasText: lastText })).toHaveCount(1);
  await expect(chat.panel.locator("[data-code]")).toHaveCount(0);
}

const hasCode = (code: ErrorCode) => (response: Response) =>
  response.url().includes("/messages") && response.status() === errorRules[code].status;

/** The browser remembers where pages begin; what it remembers is damaged. */
export const invalidCursor: Journey = async (stage) => {
  await openLongChat(stage);
  await stage.page.evaluate(() => {
    for (const name of Object.keys(localStorage).filter((key) => key.includes(":pages:"))) {
      localStorage.setItem(name, JSON.stringify([null, "damaged", "damaged-too"]));
    }
  });
  await readsAnew(stage, "invalid_cursor");
};

export const cursorExpired: Journey = async (stage) => {
  await openLongChat(stage);
  await stage.lab.expireCursors();
  await readsAnew(stage, "cursor_expired");
};
