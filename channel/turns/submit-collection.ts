/**
 * Submit the collection (docs/chat-api.md, "Forms and handoffs"). Closing a form starts the agent's follow-up
 * turn.
 */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { SubmitCollectionBody } from "#lib/chat-api/operations/submit-collection.ts";
import { type ChannelLimits, waits } from "../channel-limits.ts";
import { type ChatPhase, changeChat, lockChat, requirePlan, requireReady } from "../chats/chat-store.ts";
import { readCollection } from "../collections/collection-state.ts";
import { loadCollection, saveCollection } from "../collections/collection-store.ts";
import { submit } from "../collections/submission.ts";
import type { OpenForm } from "../db/schema.ts";
import { noticeText } from "../handoffs/notices.ts";
import type { WriteRequest } from "../idempotency/ledger.ts";
import { type PhaseEnd, runOnce, type WriteOutcome } from "../idempotency/run-once.ts";
import { appendMessage } from "../messages/message-store.ts";
import type { TurnRequestDeps } from "./send-message.ts";
import { type Attempt, beginFollowUp } from "./turn-store.ts";
import { turnEnd } from "./watch-turn.ts";

/**
 * Saves, skips or cancels the form. If that closes the form in a chat with the agent, a follow-up turn
 * starts, except after details for a handoff. The response waits briefly for that turn (`waits.followUp`), so
 * that most clients find the agent's message at once.
 *
 * @throws ChatApiError one of the operation's codes
 */
export async function submitCollection(
  deps: TurnRequestDeps,
  request: WriteRequest,
  body: SubmitCollectionBody,
  limits: ChannelLimits,
): Promise<WriteOutcome<Collection>> {
  const started: { followUp?: Attempt | undefined } = {};
  const run = async (phase: ChatPhase): Promise<PhaseEnd<Collection>> => {
    deps.engine.requireAccepting();
    requireReady(phase.chat, limits);
    await requirePlan(phase.tx, phase.chat, limits);
    const before = await loadCollection(phase.tx, phase.chat.id);
    const outcome = submit(before, body, phase.now.toISOString());
    await saveCollection(phase.tx, phase.chat.id, outcome.state);
    // The refusal's reason stays readable in the collection; the key stays free for the corrected request.
    if (outcome.kind === "refused") return { kind: "refused", error: outcome.error, stored: false };
    deps.reach("inside-submission");
    // After details for the team, the client repeats its handoff request, which a running turn would block.
    const isForTeam = outcome.state.pendingAction === "handoff";
    started.followUp = await startFollowUp(deps, phase, body, isForTeam ? null : outcome.closed);
    return { kind: "done", item: readCollection(outcome.state) };
  };
  const done = await runOnce(deps, request, { lock: lockChat, run });
  // A run whose transaction was rolled back started nothing: the replay after it has no follow-up.
  if (started.followUp !== undefined && !done.isReplay) {
    deps.engine.run(started.followUp, { isStreamed: false });
    await turnEnd(deps, started.followUp.operationId, waits.followUp);
  }
  return done;
}

/** Starts the follow-up turn, if there is one, in the submission's transaction. */
async function startFollowUp(
  { database }: TurnRequestDeps,
  { tx, chat, operationId, now }: ChatPhase,
  { action }: SubmitCollectionBody,
  closed: OpenForm | null,
): Promise<Attempt | undefined> {
  const counted = { operationCount: chat.operationCount + 1 };
  if (closed !== null && chat.mode === "agent") {
    const trigger = { collectionId: closed.collectionId, action };
    const { owner } = database;
    const attempt = await beginFollowUp(tx, { afterOperationId: operationId, chat, trigger, owner, now });
    await changeChat(tx, chat, { ...counted, activeOperationId: attempt.operationId }, now);
    return attempt;
  }
  if (closed !== null && action === "save") {
    const text = noticeText("detailsReceived", chat.locale);
    await appendMessage(tx, chat, { role: "system", text }, now, counted);
  } else await changeChat(tx, chat, counted, now);
  return undefined;
}
