import type { Collection, SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import { type Failure, failureOf } from "#lib/conversation/failure.ts";
import { keepsKey } from "#lib/conversation/outbox.ts";
import { continueHandoff } from "../handoff/accept-offer.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { createTabStorage, keyFor } from "../runtime/kept-attempt.ts";
import { repeatWrite } from "../runtime/repeat-write.ts";
import { readCollection } from "./read-collection.ts";

export type SubmissionResult =
  | { kind: "done"; collection: Collection }
  | { kind: "failed"; failure: Failure };

/**
 * Saves, skips or cancels a form. After a refusal the collection is read anew, since the answers stand in the way of
 * what it holds now. When the form was what the team wanted to know, the request to the team is repeated.
 */
export async function submitForm(
  runtime: ChatRuntime,
  body: SubmitCollectionBody,
  onWaiting: (failure: Failure | null) => void,
): Promise<SubmissionResult> {
  // The customer may open another chat meanwhile: all of this is this one's.
  const conversation = runtime.getState();
  const { chatId, collection: before } = conversation;
  if (chatId === null) return { kind: "failed", failure: failureOf(null) };
  const storage = createTabStorage();
  const name = `submission:${chatId}`;
  const request = JSON.stringify([body, [...(body.values ?? [])]]);
  const idempotencyKey = keyFor(storage, name, request);
  try {
    const { item } = await repeatWrite(
      runtime,
      () => runtime.client.submitCollection(chatId, body, { idempotencyKey }),
      onWaiting,
    );
    storage.write(name, null);
    runtime.publish(conversation, { type: "collection_read", collection: item });
    const isForTeam = (before ?? item).pendingAction === "handoff" && body.action !== "cancel";
    // What follows is shown as it comes; it does not change what became of the form.
    const isAnswered = item.request === null || item.request.complete;
    if (isForTeam && isAnswered) continueHandoff(runtime, conversation).catch(reportError);
    else runtime.syncSoon().catch(reportError);
    return { kind: "done", collection: item };
  } catch (error) {
    const failure = failureOf(error);
    if (!keepsKey(failure)) storage.write(name, null);
    await readCollection(runtime, conversation).catch(reportError);
    return { kind: "failed", failure };
  }
}
