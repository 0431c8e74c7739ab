/** Sends a message: checks, claim, and the result of a replay (docs/chat-api.md, "Idempotency"). */
import { and, eq, inArray } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { File, MessageTurn } from "#lib/chat-api/message.ts";
import type { SendMessageBody } from "#lib/chat-api/operations/send-message.ts";
import { type ChannelLimits, writeAttempts } from "../channel-limits.ts";
import { type ChatRow, requirePlan, requireReady, toChat } from "../chats/chat-store.ts";
import type { Core } from "../core.ts";
import { type Sql, withRetries } from "../db/database.ts";
import { files } from "../db/schema.ts";
import { isExpired, toFile } from "../files/file-store.ts";
import { withCurrentAvailability } from "../handoffs/hours.ts";
import {
  type OperationRow,
  requireSameRequest,
  storedRefusal,
  type WriteRequest,
} from "../idempotency/ledger.ts";
import { newId } from "../ids.ts";
import { nextMessage, toMessage } from "../messages/message-store.ts";
import type { ChannelSettings } from "../settings/settings.ts";
import type { TurnEngine } from "./turn-engine.ts";
import { claimMessage, lookUpSend } from "./turn-store.ts";

/** Dependencies of requests that start a turn. */
export interface TurnRequestDeps extends Pick<Core, "database" | "clock" | "reach"> {
  engine: TurnEngine;
}

/** A stored message and the turn that answers it, which may still be running, here or in another process. */
export interface SentMessage {
  operationId: string;
  messageId: string;
  /** Null while the team has the chat. */
  replyId: string | null;
  /** False for a replay. */
  isFirst: boolean;
}

type SendSettings = Pick<ChannelSettings, "limits" | "hours">;

/**
 * Stores the message and starts its turn, or looks up what an earlier request with the key did.
 *
 * @throws ChatApiError one of the operation's codes
 */
export async function sendMessage(
  deps: TurnRequestDeps,
  request: WriteRequest,
  body: SendMessageBody,
  settings: SendSettings,
  isStreamed: boolean,
): Promise<SentMessage> {
  const { text = "", fileIds = [] } = body;
  for (let attempt = 0; attempt < writeAttempts; attempt += 1) {
    const state = await lookUpSend(deps.database.sql, request);
    if (state === undefined) throw new ChatApiError("chat_not_found");
    if (state.operation !== null) return sentBefore(state.operation, request);
    deps.engine.requireAccepting();
    const sent = await requireSendable(deps, state, fileIds, settings.limits);
    const claimed = await claim(deps, request, state, { text, files: sent, isStreamed }, settings);
    // Undefined: the chat, a file or the key changed since it was read.
    if (claimed !== undefined) return claimed;
  }
  throw new ChatApiError("service_unavailable");
}

function sentBefore(operation: OperationRow, request: WriteRequest): SentMessage {
  requireSameRequest(operation, request);
  const refusal = storedRefusal(operation);
  if (refusal !== undefined) throw refusal;
  if (operation.messageId === null) throw new Error(`operation ${operation.id} has no message`);
  return {
    operationId: operation.id,
    messageId: operation.messageId,
    replyId: operation.replyId,
    isFirst: false,
  };
}

/** The chat as it was read. */
type SendState = NonNullable<Awaited<ReturnType<typeof lookUpSend>>>;

/**
 * Checks that the message may be sent now. Returns its files.
 * @throws ChatApiError one of the operation's codes
 */
async function requireSendable(
  { database: { sql }, clock }: TurnRequestDeps,
  { chat, chatCount, running }: SendState,
  fileIds: readonly string[],
  limits: ChannelLimits,
): Promise<File[]> {
  requireReady(chat, limits);
  const sent = fileIds.length === 0 ? [] : await requireFiles(sql, chat.id, fileIds, clock.now());
  await requirePlan(sql, chat, limits, chatCount);
  if (chat.mode === "agent" && running >= limits.concurrentTurns)
    throw new ChatApiError("service_unavailable");
  return sent;
}

/** Undefined if a condition of the claim no longer holds: nothing is written. */
async function claim(
  deps: TurnRequestDeps,
  request: WriteRequest,
  { chat, collection }: SendState,
  { text, files: sent, isStreamed }: { text: string; files: File[]; isStreamed: boolean },
  { limits, hours }: SendSettings,
): Promise<SentMessage | undefined> {
  const { database, engine } = deps;
  const now = deps.clock.now();
  const isAnswered = chat.mode === "agent";
  const operationId = newId("op");
  const attachments = sent.length === 0 ? {} : { files: sent };
  const message = nextMessage(chat, { role: "visitor", text, attachments }, now);
  const replyId = isAnswered ? newId("msg") : null;
  const chatAfter: ChatRow = {
    ...chat,
    operationCount: chat.operationCount + 1,
    lastSequence: message.sequence,
    updatedAt: message.createdAt,
  };
  /** The result if no agent answers, because the team has the chat. */
  const unanswered = (): MessageTurn => ({
    message: toMessage(message),
    reply: null,
    chat: toChat(withCurrentAvailability(chatAfter, hours, now)),
  });
  deps.reach("before-claim");
  const isClaimed = await withRetries(() =>
    claimMessage(database.sql, {
      request,
      operationId,
      chat,
      message,
      fileIds: sent.map(({ id }) => id),
      owner: database.owner,
      concurrentTurns: limits.concurrentTurns,
      now,
      replyId,
      result: isAnswered ? null : unanswered(),
    }),
  );
  if (!isClaimed) return undefined;
  deps.reach("after-claim");
  if (isAnswered) {
    const operation = { id: operationId, replyId, trigger: null, createdAt: now };
    const loaded = { operation, chat: chatAfter, collection, message };
    engine.run({ operationId, fence: 1 }, { loaded, isStreamed });
  }
  return { operationId, messageId: message.id, replyId, isFirst: true };
}

/**
 * Reads the files in the order in which they were named. A file may be sent with several messages.
 *
 * @throws ChatApiError `file_not_found`, `file_not_ready`
 */
async function requireFiles(
  sql: Sql,
  chatId: string,
  fileIds: readonly string[],
  now: Date,
): Promise<File[]> {
  const rows = await sql
    .select()
    .from(files)
    .where(and(eq(files.chatId, chatId), inArray(files.id, [...fileIds])));
  return fileIds.map((id, index) => {
    const row = rows.find((candidate) => candidate.id === id);
    const field = `/fileIds/${index}`;
    if (row === undefined || isExpired(row, now)) throw new ChatApiError("file_not_found", { field });
    if (!row.isReady) throw new ChatApiError("file_not_ready", { field });
    return { ...toFile(row), expiresAt: null };
  });
}
