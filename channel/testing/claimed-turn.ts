/** Claims and finishes turns without a turn engine, for tests of single statements. */
import { randomUUID } from "node:crypto";
import { findChat } from "../chats/chat-store.ts";
import { newId } from "../ids.ts";
import { nextMessage } from "../messages/message-store.ts";
import { type Attempt, claimMessage, finishTurn } from "../turns/turn-store.ts";
import type { TestChannel } from "./test-channel.ts";

export interface ClaimedTurn {
  chatId: string;
  key: string;
  attempt: Attempt;
}

export async function chatOf({ database, channelKey }: TestChannel, chatId: string) {
  const chat = await findChat(database.sql, { channelKey, chatId });
  if (chat === undefined) throw new Error(`there is no chat ${chatId}`);
  return chat;
}

/** Stores the message "Hello" and begins its turn. Undefined if the claim was refused. */
export async function claim(
  channel: TestChannel,
  options: { chatId?: string; key?: string; concurrentTurns?: number } = {},
): Promise<ClaimedTurn | undefined> {
  const { database, channelKey } = channel;
  const { chatId = await channel.createChat(), key = randomUUID(), concurrentTurns = 100 } = options;
  const chat = await chatOf(channel, chatId);
  const operationId = newId("op");
  const now = new Date();
  const isClaimed = await claimMessage(database.sql, {
    request: { channelKey, chatId, kind: "sendMessage", key, fingerprint: "test" },
    operationId,
    chat,
    message: nextMessage(chat, { role: "visitor", text: "Hello" }, now),
    fileIds: [],
    owner: database.owner,
    concurrentTurns,
    now,
    replyId: newId("msg"),
    result: null,
  });
  return isClaimed ? { chatId, key, attempt: { operationId, fence: 1 } } : undefined;
}

export async function claimed(channel: TestChannel): Promise<ClaimedTurn> {
  const turn = await claim(channel);
  if (turn === undefined) throw new Error("the claim was refused");
  return turn;
}

/** Stores the reply. False if the attempt may no longer write. */
export async function finish(
  channel: TestChannel,
  chatId: string,
  attempt: Attempt,
  text = "Reply",
): Promise<boolean> {
  const chat = await chatOf(channel, chatId);
  const now = new Date();
  const reply = nextMessage(chat, { role: "agent", text, replyOfOperationId: attempt.operationId }, now);
  return finishTurn(channel.database.sql, {
    ...attempt,
    chat,
    reply,
    result: null,
    now,
    offer: undefined,
  });
}
