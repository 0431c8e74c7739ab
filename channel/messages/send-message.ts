/** Send a message (specification, "Send a message"): the checks, the claim, and what a repeated request comes to. */
import { and, eq, inArray } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { MessageTurn, SendMessageBody } from "#lib/chat-api/message.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import { toChat } from "../chats/chat-row.ts";
import type { Clock } from "../clock.ts";
import { type Database, retrying, type Sql } from "../db/database.ts";
import { files } from "../db/schema.ts";
import { withCurrentAvailability } from "../handoffs/current-availability.ts";
import {
  lookUp,
  type OperationRow,
  requireSameRequest,
  storedRefusal,
  type WriteRequest,
} from "../idempotency/ledger.ts";
import { requirePlan, requireReady } from "../idempotency/state-checks.ts";
import { newId } from "../ids.ts";
import type { ReachKillPoint } from "../kill-points.ts";
import { type ChannelLimits, retryAfterSeconds } from "../limits.ts";
import type { ChannelSettings } from "../settings/settings.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { claimMessage, countRunningTurns } from "../turns/turn-store.ts";
import { toMessage } from "./message-row.ts";
import { nextMessage } from "./message-store.ts";

export interface SendDeps {
  database: Database;
  clock: Clock;
  engine: TurnEngine;
  reach: ReachKillPoint;
}

/** A message that is stored, and the turn that answers it: it may still run, here or in another process. */
export interface SentMessage {
  operationId: string;
  messageId: string;
  /** Null while the chat is with the team. */
  replyId: string | null;
  /** False when an earlier request with the key has done it. */
  isFirst: boolean;
}

type SendSettings = Pick<ChannelSettings, "limits" | "hours">;

/**
 * Stores the message and begins its turn, or finds out what an earlier request with the key has done.
 *
 * @throws ChatApiError one of the operation's codes
 */
export async function sendMessage(
  deps: SendDeps,
  request: WriteRequest,
  body: SendMessageBody,
  settings: SendSettings,
): Promise<SentMessage> {
  const { database, engine } = deps;
  for (;;) {
    const seen = await lookUp(database.sql, request);
    if (seen === undefined) throw new ChatApiError("chat_not_found");
    if (seen.operation !== null) return sentBefore(seen.operation, request);
    engine.requireAccepting();
    const claimed = await claim(deps, request, seen.chat, body, settings);
    // Undefined: the chat, the files or the key have changed since they were read.
    if (claimed !== undefined) return claimed;
  }
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

async function claim(
  deps: SendDeps,
  request: WriteRequest,
  chat: ChatRow,
  body: SendMessageBody,
  { limits, hours }: SendSettings,
): Promise<SentMessage | undefined> {
  const { database, engine } = deps;
  const { sql } = database;
  const now = deps.clock.now();
  const isAnswered = chat.mode === "agent";
  requireReady(chat, limits);
  const fileIds = body.fileIds ?? [];
  const sentFiles = fileIds.length === 0 ? [] : await requireFiles(sql, chat.id, fileIds, now);
  await requirePlan(sql, chat, limits);
  if (isAnswered) await requireTurnCapacity(sql, request.channelKey, limits);

  const operationId = newId("op");
  const message = nextMessage(
    chat,
    {
      role: "visitor",
      text: body.text ?? "",
      attachments: sentFiles.length === 0 ? {} : { files: sentFiles },
    },
    now,
  );
  const replyId = isAnswered ? newId("msg") : null;
  const turn: MessageTurn = {
    message: toMessage(message),
    reply: null,
    chat: toChat(withCurrentAvailability({ ...chat, updatedAt: message.createdAt }, hours, now)),
  };
  deps.reach("K1");
  const isClaimed = await retrying(() =>
    claimMessage(sql, {
      request,
      operationId,
      chat,
      message,
      fileIds,
      owner: database.owner,
      concurrentTurns: limits.concurrentTurns,
      now,
      replyId,
      result: turn,
    }),
  );
  if (!isClaimed) return undefined;
  deps.reach("K2");
  if (isAnswered) engine.run({ operationId, fence: 1 });
  return { operationId, messageId: message.id, replyId, isFirst: true };
}

/** @throws ChatApiError `service_unavailable` */
async function requireTurnCapacity(sql: Sql, channelKey: string, limits: ChannelLimits): Promise<void> {
  if ((await countRunningTurns(sql, channelKey)) >= limits.concurrentTurns)
    throw new ChatApiError("service_unavailable", {
      retryAfterSeconds: retryAfterSeconds.service_unavailable,
    });
}

/**
 * The files as the message shows them, in the order in which they were named. A file that went with an earlier message
 * may go with another one.
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
    if (row === undefined || (row.expiresAt !== null && row.expiresAt <= now))
      throw new ChatApiError("file_not_found", { field });
    if (!row.isReady) throw new ChatApiError("file_not_ready", { field });
    return {
      id,
      chatId,
      filename: row.filename,
      mediaType: row.mediaType,
      byteSize: row.byteSize,
      createdAt: row.createdAt.toISOString(),
      expiresAt: null,
    };
  });
}
