import { expect, test } from "vitest";
import { nextMessage } from "../messages/message-store.ts";
import { type ChatRow, nextVersion } from "./chat-store.ts";

const at = (milliseconds: number) => new Date(Date.parse("2026-06-02T09:00:00.000Z") + milliseconds);

test("each version of a chat is later than the previous one, whatever the clock says", () => {
  const row = { updatedAt: at(0) };
  expect(nextVersion(row, at(5))).toEqual(at(5));
  expect(nextVersion(row, at(0))).toEqual(at(1));
  expect(nextVersion(row, at(-60_000))).toEqual(at(1));
});

test("a message is later than its chat's previous version, whatever the clock says", () => {
  const chat = { id: "chat_00000001", lastSequence: 7, updatedAt: at(0) } as ChatRow;
  const message = nextMessage(chat, { role: "visitor", text: "Hello" }, at(-60_000));
  expect(message).toMatchObject({ sequence: 8, createdAt: at(1) });
});
