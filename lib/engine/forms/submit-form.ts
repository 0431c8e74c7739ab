import type { Collection, SubmitCollectionBody } from "../../chat-api/collection.ts";
import type { ChatRuntime } from "../chat-runtime.ts";
import { keyFor } from "../delivery/kept-attempt.ts";
import { repeatWrite } from "../delivery/repeat-write.ts";
import { showEnd } from "../delivery/show-end.ts";
import { type Failure, failure, failureOf } from "../failure.ts";
import { keepsKey } from "../outbox/outbox.ts";
import type { ConversationState } from "../state/state.ts";
import { tabStorage } from "../storage/storage.ts";
import { continueHandoff } from "./accept-offer.ts";
import { isSameForm } from "./form.ts";
import { keepFormEnd } from "./form-end.ts";
import { readCollection } from "./read-collection.ts";

export type SubmissionResult =
  | { kind: "done"; collection: Collection }
  | { kind: "failed"; failure: Failure };

/** How often a form whose version alone has changed is submitted again. */
const maxResends = 3;

/**
 * Submits, skips or cancels a form. After a failure it reads the collection again, because the answers may
 * conflict with the current one. If only its version has changed, it submits again by itself. Once a form
 * that a handoff requires is complete or skipped, it repeats the handoff request.
 */
export async function submitForm(
  runtime: ChatRuntime,
  body: SubmitCollectionBody,
  onWaiting: (failure: Failure | null) => void,
): Promise<SubmissionResult> {
  // The customer may open another chat meanwhile: this submission stays with the current one.
  const conversation = runtime.getState();
  let { collection: shown } = conversation;
  let { expectedVersion } = body;
  for (let resends = 0; ; resends += 1) {
    const result = await submitOnce(runtime, conversation, { ...body, expectedVersion }, onWaiting);
    if (result.kind === "done" || result.failure.code !== "version_conflict") return result;
    const { current } = result;
    const isSame = shown !== null && current !== null && isSameForm(shown, current);
    if (!isSame || resends === maxResends) return result;
    shown = current;
    expectedVersion = current.version;
  }
}

async function submitOnce(
  runtime: ChatRuntime,
  conversation: ConversationState,
  body: SubmitCollectionBody,
  onWaiting: (failure: Failure | null) => void,
): Promise<
  | Extract<SubmissionResult, { kind: "done" }>
  /** `current` is the collection read after the failure; null if that failed as well. */
  | { kind: "failed"; failure: Failure; current: Collection | null }
> {
  const { chatId, collection: before } = conversation;
  if (chatId === null) return { kind: "failed", failure: failure("chat_not_found"), current: null };
  const name = `submission:${chatId}`;
  const request = JSON.stringify([body, [...(body.values ?? [])]]);
  const idempotencyKey = keyFor(tabStorage, name, request);
  try {
    const { item } = await repeatWrite(
      runtime,
      () => runtime.client.submitCollection(chatId, body, { idempotencyKey }),
      onWaiting,
    );
    tabStorage.write(name, null);
    const { collectionRequestId } = body;
    if (collectionRequestId !== null && item.request?.id !== collectionRequestId)
      keepFormEnd(chatId, collectionRequestId, body.action);
    runtime.publish(conversation, { type: "collection_read", collection: item });
    const isForTeam = (before ?? item).pendingAction === "handoff" && body.action !== "cancel";
    // The calls below are not awaited, because they do not change the outcome of this submission.
    const isAnswered = item.request === null || item.request.complete;
    if (isForTeam && isAnswered) void continueHandoff(runtime, conversation);
    else void runtime.history.syncSoon(conversation);
    return { kind: "done", collection: item };
  } catch (error) {
    const failed = failureOf(error);
    showEnd(runtime, conversation, failed);
    if (!keepsKey(failed)) tabStorage.write(name, null);
    // If the read fails, the form stays as it was: the next submission reports what has changed.
    const current = await readCollection(runtime, conversation).catch(() => null);
    return { kind: "failed", failure: failed, current };
  }
}
