/**
 * Writes that take one transaction: upload, submission, handoff. Their changes and the ledger's row commit
 * together, so that a key is recorded exactly when its work is done.
 */
import type { ChatApiError } from "#lib/chat-api/errors.ts";
import { writeAttempts } from "../channel-limits.ts";
import type { Core } from "../core.ts";
import type { Sql } from "../db/database.ts";
import { operations } from "../db/schema.ts";
import { newId } from "../ids.ts";
import {
  findOperation,
  type OperationRow,
  requireSameRequest,
  storedRefusal,
  type WriteRequest,
} from "./ledger.ts";

export interface Phase<Chat> {
  tx: Sql;
  /** Locked until the transaction ends. */
  chat: Chat;
  operationId: string;
  now: Date;
}

/** How a phase ends. A phase that throws refuses and rolls everything back. */
export type PhaseEnd<T> =
  | { kind: "done"; item: T }
  /** Commits the phase's writes, then refuses. `stored`: every replay gets the same refusal. */
  | { kind: "refused"; error: ChatApiError; stored: boolean };

export interface WriteOutcome<T> {
  item: T;
  isReplay: boolean;
}

interface Write<Chat, T> {
  /** Reads the chat and locks it until the transaction ends, or throws. */
  lock: (tx: Sql, request: WriteRequest) => Promise<Chat>;
  /** The work, which may run twice. Checks of the chat's state belong here, so that a replay skips them. */
  run: (phase: Phase<Chat>) => Promise<PhaseEnd<T>>;
  /** The outcome of a replay, if the stored item is not enough. */
  replay?: (phase: Phase<Chat>, item: T) => Promise<T>;
}

/**
 * Runs the write if its key is new, and otherwise returns the stored result.
 *
 * @throws ChatApiError `idempotency_conflict`, the errors of `lock` and `run`
 */
export async function runOnce<Chat, T>(
  deps: Pick<Core, "database" | "clock">,
  request: WriteRequest,
  { lock, run, replay = async (_, item) => item }: Write<Chat, T>,
): Promise<WriteOutcome<T>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const end = await deps.database.transaction(async (tx) => {
        const chat = await lock(tx, request);
        const now = deps.clock.now();
        const earlier = await findOperation(tx, request);
        if (earlier !== undefined) return replayed(earlier, { tx, chat, operationId: earlier.id, now });
        const operationId = newId("op");
        const ended = await run({ tx, chat, operationId, now });
        if (ended.kind === "refused" && !ended.stored) return ended;
        const isRecorded = await record(tx, request, operationId, ended, now);
        // A concurrent request to another chat has used the same key: the loop returns that row's result.
        if (!isRecorded) throw new KeyTaken();
        return { ...ended, isReplay: false };
      });
      if (end.kind === "refused") throw end.error;
      return { item: end.item, isReplay: end.isReplay };
    } catch (error) {
      if (!(error instanceof KeyTaken) || attempt === writeAttempts) throw error;
    }
  }

  async function replayed(earlier: OperationRow, phase: Phase<Chat>) {
    requireSameRequest(earlier, request);
    const refusal = storedRefusal(earlier);
    if (refusal !== undefined) throw refusal;
    // Written by `record` for the same operation: the fingerprint includes method and path.
    const item = await replay(phase, earlier.result as T);
    return { kind: "done" as const, item, isReplay: true };
  }
}

class KeyTaken extends Error {
  override name = "KeyTaken";
}

async function record<T>(
  tx: Sql,
  request: WriteRequest,
  operationId: string,
  end: PhaseEnd<T>,
  now: Date,
): Promise<boolean> {
  const recorded = await tx
    .insert(operations)
    .values({
      id: operationId,
      channelKey: request.channelKey,
      key: request.key,
      kind: request.kind,
      chatId: request.chatId,
      fingerprint: request.fingerprint,
      state: end.kind === "done" ? "succeeded" : "refused",
      result: end.kind === "done" ? end.item : null,
      errorCode: end.kind === "done" ? null : end.error.code,
      createdAt: now,
      finishedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: operations.id });
  return recorded.length === 1;
}
