/**
 * Writes that take one transaction: upload, submission, handoff. Their changes and the ledger's row commit
 * together, so that a key is recorded exactly when its work is done.
 */
import type { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Clock } from "../clock.ts";
import type { Database, Sql } from "../db/database.ts";
import { operations } from "../db/schema.ts";
import {
  lookUp,
  type OperationRow,
  requireSameRequest,
  storedRefusal,
  type WriteRequest,
} from "../idempotency/ledger.ts";
import { newId } from "../ids.ts";
import type { ChatRow } from "./chat-row.ts";
import { lockChat } from "./chat-store.ts";

export interface Phase {
  tx: Sql;
  /** Locked until the transaction ends. */
  chat: ChatRow;
  operationId: string;
  now: Date;
}

/** How a phase ends. A phase that throws refuses and rolls everything back. */
export type PhaseEnd<T> =
  | { kind: "done"; item: T }
  /** Commits the phase's writes, then refuses. `stored`: every replay gets the same refusal. */
  | { kind: "refused"; error: ChatApiError; stored: boolean };

export interface WriteOutcome<T> {
  /** The row of the operation, from this request or an earlier one. */
  operationId: string;
  item: T;
  isReplay: boolean;
}

/**
 * Runs the phase if the key is new, and otherwise answers with the stored result. Checks of the chat's state
 * belong in the phase, so that a replay skips them.
 *
 * @param replay builds a replay's answer if the stored item is not enough
 * @throws ChatApiError `chat_not_found`, `idempotency_conflict`, a refusal of the phase
 */
export async function runOnce<T>(
  deps: { database: Database; clock: Clock },
  request: WriteRequest,
  phase: (phase: Phase) => Promise<PhaseEnd<T>>,
  replay: (phase: Phase, item: T) => Promise<T> = async (_, item) => item,
): Promise<WriteOutcome<T>> {
  for (;;) {
    const end = await deps.database
      .transaction(async (tx) => {
        const chat = await lockChat(tx, request);
        const now = deps.clock.now();
        const known = (await lookUp(tx, request))?.operation ?? null;
        if (known !== null) return answerAgain(known, { tx, chat, operationId: known.id, now });
        const operationId = newId("op");
        const ended = await phase({ tx, chat, operationId, now });
        if (ended.kind === "refused" && !ended.stored) return { ...ended, operationId };
        const isRecorded = await record(tx, request, operationId, ended, now);
        // A concurrent request to another chat has used the same key: the loop answers from that row.
        if (!isRecorded) throw new KeyTaken();
        return { ...ended, operationId, isReplay: false };
      })
      .catch((error: unknown) => {
        if (error instanceof KeyTaken) return undefined;
        throw error;
      });
    if (end === undefined) continue;
    if (end.kind === "refused") throw end.error;
    return { operationId: end.operationId, item: end.item, isReplay: end.isReplay };
  }

  async function answerAgain(known: OperationRow, phase: Phase) {
    requireSameRequest(known, request);
    const refusal = storedRefusal(known);
    if (refusal !== undefined) throw refusal;
    // Written by `record` for the same operation: the fingerprint includes method and path.
    const item = await replay(phase, known.result as T);
    return { kind: "done" as const, operationId: known.id, item, isReplay: true };
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
