/** Get and submit the collection (specification, "Get the collection", "Submit the collection"). */
import type { Collection, SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import { type ChatPlace, changeChat, requireChat } from "../chats/chat-store.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { noticeText } from "../handoffs/notices.ts";
import type { WriteRequest } from "../idempotency/ledger.ts";
import { type Once, type Phase, runOnce } from "../idempotency/run-once.ts";
import { requirePlan, requireReady } from "../idempotency/state-checks.ts";
import type { ReachKillPoint } from "../kill-points.ts";
import { type ChannelLimits, waits } from "../limits.ts";
import { appendMessage } from "../messages/message-store.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { type Attempt, beginFollowUp } from "../turns/turn-store.ts";
import { turnEnd } from "../turns/watch-turn.ts";
import { type OpenForm, readCollection } from "./collection-state.ts";
import { loadCollection, saveCollection } from "./collection-store.ts";
import { submit } from "./submission.ts";

export interface SubmitDeps {
  database: Database;
  clock: Clock;
  engine: TurnEngine;
  reach: ReachKillPoint;
}

/** @throws ChatApiError `chat_not_found` */
export async function getCollection(
  { database }: Pick<SubmitDeps, "database">,
  place: ChatPlace,
): Promise<Collection> {
  const chat = await requireChat(database.sql, place);
  return readCollection(await loadCollection(database.sql, chat.id));
}

/**
 * Saves, skips or cancels the form. When that closes the form and the agent answers in the chat, it goes on from there
 * in a turn of its own; the answer waits for it a little, so that most callers find the agent's message at once.
 *
 * @throws ChatApiError one of the operation's codes
 */
export async function submitCollection(
  deps: SubmitDeps,
  request: WriteRequest,
  body: SubmitCollectionBody,
  limits: ChannelLimits,
): Promise<Once<Collection>> {
  let followUp: Attempt | undefined;
  const done = await runOnce<Collection>(deps, request, async (phase) => {
    followUp = undefined;
    deps.engine.requireAccepting();
    requireReady(phase.chat, limits);
    await requirePlan(phase.tx, phase.chat, limits);
    const before = await loadCollection(phase.tx, phase.chat.id);
    const outcome = submit(before, body, phase.now.toISOString());
    await saveCollection(phase.tx, phase.chat.id, outcome.state);
    // What was wrong stays readable in the collection; the key is free for the corrected request.
    if (outcome.kind === "refused") return { kind: "refused", error: outcome.error, stored: false };
    deps.reach("K9");
    // Details for the team are followed by the handoff, which the customer's side repeats: no turn must be in its way.
    const isForTeam = outcome.state.pendingAction === "handoff";
    followUp = await goOn(deps, phase, body, isForTeam ? null : outcome.closed);
    return { kind: "done", item: readCollection(outcome.state) };
  });
  if (followUp !== undefined && !done.isReplay) {
    deps.engine.run(followUp);
    await turnEnd(deps, followUp.operationId, waits.followUp);
  }
  return done;
}

/** What a submission sets going, in its own transaction: the turn that follows, if one does. */
async function goOn(
  { database }: SubmitDeps,
  { tx, chat, operationId, now }: Phase,
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
    const text = noticeText({ kind: "details_received" }, chat.locale);
    await appendMessage(tx, chat, { role: "system", text }, now, counted);
  } else await changeChat(tx, chat, counted, now);
  return undefined;
}
