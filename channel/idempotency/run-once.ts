/**
 * Writes that are one transaction: upload, submission, handoff. What they do and the ledger's row are committed
 * together, so that there is nothing between "not done" and "done, and known".
 */
import type { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChatRow } from "../chats/chat-row.ts";
import { lockChat } from "../chats/chat-store.ts";
import type { Clock } from "../clock.ts";
import type { Database, Sql } from "../db/database.ts";
import { operations } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { lookUp, type OperationRow, requireSameRequest, storedRefusal, type WriteRequest } from "./ledger.ts";

export interface Phase {
  tx: Sql;
  /** Locked until the transaction's end. */
  chat: ChatRow;
  operationId: string;
  now: Date;
}

/** What a phase comes to. To refuse without leaving anything behind, it throws. */
export type PhaseEnd<T> =
  | { kind: "done"; item: T }
  /** Commits what the phase wrote, and refuses. `stored`: the key answers so for ever. */
  | { kind: "refused"; error: ChatApiError; stored: boolean };

export interface Once<T> {
  /** The row of the operation that did it, now or earlier. */
  operationId: string;
  item: T;
  isReplay: boolean;
}

/**
 * Runs the phase if the key is new, and answers what it answered the first time if not. The caller's checks of the
 * chat's state belong into the phase: a replay must not meet them.
 *
 * @param replay what a replay answers, where the stored item alone is not enough
 * @throws ChatApiError `chat_not_found`, `idempotency_conflict`, a refusal of the phase
 */
export async function runOnce<T>(
  deps: { database: Database; clock: Clock },
  request: WriteRequest,
  phase: (phase: Phase) => Promise<PhaseEnd<T>>,
  replay: (phase: Phase, item: T) => Promise<T> = async (_, item) => item,
): Promise<Once<T>> {
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
        // The same key is being used in another chat at this moment: its row decides.
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
    // Written by `record` below, of the same kind of operation: the fingerprint holds its method and path.
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
