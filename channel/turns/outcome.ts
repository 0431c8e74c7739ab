/** The outcome of a turn, from its row. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { type OperationRow, storedRefusal } from "../idempotency/ledger.ts";

/** `turn` is null for a turn that answers a form, because no response contains it. */
export type TurnOutcome =
  | { state: "succeeded"; turn: MessageTurn | null }
  | { state: "failed"; error: ChatApiError };

/** The outcome; undefined while the turn runs. A missing row was deleted together with its chat. */
export function outcomeOf(operation: OperationRow | undefined): TurnOutcome | undefined {
  if (operation === undefined) return { state: "failed", error: new ChatApiError("chat_not_found") };
  if (operation.state === "running") return undefined;
  const refusal = storedRefusal(operation);
  if (refusal !== undefined) return { state: "failed", error: refusal };
  // Written by `claimMessage` or `finishReply`, from a MessageTurn.
  return { state: "succeeded", turn: operation.result as MessageTurn | null };
}
