/** How a turn ended, as its row tells it. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { type OperationRow, storedRefusal } from "../idempotency/ledger.ts";

/** A turn that answers a form has no `turn`: nobody asked for it by a request of their own. */
export type TurnOutcome =
  | { state: "succeeded"; turn: MessageTurn | null }
  | { state: "failed"; error: ChatApiError };

/** Undefined while the turn runs. A row that is not there any more went with its chat. */
export function outcomeOf(operation: OperationRow | undefined): TurnOutcome | undefined {
  if (operation === undefined) return { state: "failed", error: new ChatApiError("chat_not_found") };
  if (operation.state === "running") return undefined;
  const refusal = storedRefusal(operation);
  if (refusal !== undefined) return { state: "failed", error: refusal };
  // Written by `claimMessage` or `finishReply`, from a MessageTurn.
  return { state: "succeeded", turn: operation.result as MessageTurn | null };
}
