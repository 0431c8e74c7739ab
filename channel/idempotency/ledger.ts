/** The ledger: the operation and the result of each idempotency key (docs/chat-api.md, "Idempotency"). */
import { and, eq, sql as fragment, type Placeholder } from "drizzle-orm";
import { ChatApiError, type ErrorCode, isErrorCode } from "#lib/chat-api/errors.ts";
import type { Sql } from "../db/database.ts";
import type { OperationKind } from "../db/documents.ts";
import { operations } from "../db/schema.ts";

export type OperationRow = typeof operations.$inferSelect;

/** The parts of a write request that the ledger compares and stores. */
export interface WriteRequest {
  channelKey: string;
  chatId: string;
  kind: OperationKind;
  key: string;
  fingerprint: string;
}

/** The key's operation, which may belong to another chat: a key is unique in the channel. */
export async function findOperation(sql: Sql, request: WriteRequest): Promise<OperationRow | undefined> {
  const [row] = await sql
    .select()
    .from(operations)
    .where(and(eq(operations.channelKey, request.channelKey), eq(operations.key, request.key)));
  return row;
}

/** The number of running turns in the channel, as an SQL expression. */
export function runningTurns(channelKey: string | Placeholder) {
  return fragment`(select count(*) from operations where channel_key = ${channelKey} and state = 'running')`;
}

export async function countRunningTurns(sql: Sql, channelKey: string): Promise<number> {
  const rows = await sql.execute<{ running: number }>(
    fragment`select ${runningTurns(channelKey)}::integer as running`,
  );
  return rows.rows[0]?.running ?? 0;
}

/** @throws ChatApiError `idempotency_conflict` if the key belongs to a different request */
export function requireSameRequest(operation: OperationRow, request: WriteRequest): void {
  if (operation.fingerprint !== request.fingerprint) throw new ChatApiError("idempotency_conflict");
}

/** The refusal stored for a finished operation; undefined while it runs and when it succeeded. */
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
