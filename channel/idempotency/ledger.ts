/** The ledger of operations: what an idempotency key has done (specification, "General rules", 5). */
import { and, eq } from "drizzle-orm";
import { ChatApiError, type ErrorCode, isErrorCode } from "#lib/chat-api/errors.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import type { ChatPlace } from "../chats/chat-store.ts";
import type { Sql } from "../db/database.ts";
import type { OperationKind } from "../db/documents.ts";
import { chats, operations } from "../db/schema.ts";

export type OperationRow = typeof operations.$inferSelect;

/** A request that changes something, as the ledger knows it. */
export interface WriteRequest extends ChatPlace {
  kind: OperationKind;
  key: string;
  fingerprint: string;
}

/**
 * The chat, and what the key has already done (maybe in another chat: a key means one request in the whole channel).
 * Undefined when there is no such chat.
 */
export async function lookUp(
  sql: Sql,
  request: WriteRequest,
): Promise<{ chat: ChatRow; operation: OperationRow | null } | undefined> {
  const [row] = await sql
    .select({ chat: chats, operation: operations })
    .from(chats)
    .leftJoin(operations, and(eq(operations.channelKey, request.channelKey), eq(operations.key, request.key)))
    .where(and(eq(chats.id, request.chatId), eq(chats.channelKey, request.channelKey)));
  return row;
}

/** @throws ChatApiError `idempotency_conflict` where the key belongs to a different request. */
export function requireSameRequest(operation: OperationRow, request: WriteRequest): void {
  if (operation.fingerprint !== request.fingerprint) throw new ChatApiError("idempotency_conflict");
}

/** The refusal that a finished operation answers with; undefined while it runs and when it succeeded. */
export function storedRefusal(operation: OperationRow): ChatApiError | undefined {
  switch (operation.state) {
    case "running":
    case "succeeded":
      return undefined;
    case "refused":
      return new ChatApiError(storedCode(operation));
    case "superseded":
      return new ChatApiError("operation_superseded");
    case "interrupted":
      return new ChatApiError("operation_interrupted");
    default:
      return operation.state satisfies never;
  }
}

function storedCode(operation: OperationRow): ErrorCode {
  const code = operation.errorCode ?? "";
  if (!isErrorCode(code)) throw new Error(`operation ${operation.id} is refused without a known code`);
  return code;
}
