/** Sends one message, under the same key each time, until its outcome is known. */
import { errorRules } from "../../chat-api/errors.ts";
import type { Message } from "../../chat-api/message.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import { assertNever } from "../assert-never.ts";
import type { ConversationRef } from "../conversation-ref.ts";
import { askedUntil, askedWaitOf, type Failure, failure } from "../failure.ts";
import * as conversationLimits from "../limits.ts";
import {
  afterLookUp,
  countFailure,
  type FailedAttempts,
  isOutdated,
  type Listing,
  lookUpCount,
  nextStep,
} from "../outbox/delivery-rules.ts";
import { isContentOf, matchDelivered } from "../outbox/matching.ts";
import { bodyOf, keepsKey, type OutboxRecord, recordsOf } from "../outbox/outbox.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { endOfWait } from "../pauses.ts";
import { isIn } from "../state/messages.ts";
import type { Delivery } from "../state/state.ts";
import { type NewChatDeps, newChat, renewCreateKey } from "./new-chat.ts";

export interface DeliveryContext
  extends NewChatDeps,
    Pick<OwnerParts, "outbox" | "pauses" | "isOnline" | "failureOf" | "publish" | "signal"> {
  client: Pick<ChatClient, "createChat" | "streamMessage">;
  /** The chat's latest messages and its mode, from the server. */
  readNews(conversation: ConversationRef): Promise<Listing>;
  /** Reads the list a few times until it has news. */
  syncSoon(conversation: ConversationRef): Promise<void>;
  startSession(): Promise<unknown>;
  /** The messages on screen, if the conversation is; otherwise none. */
  messagesOf(conversation: ConversationRef): readonly Message[];
}

export async function deliver(deps: DeliveryContext, first: OutboxRecord): Promise<void> {
  let attempts: FailedAttempts | null = null;
  let isStored = false;
  let isInDoubt = first.attempted;
  await endPause(deps, first);
  let record = stillToSend(deps, first);
  while (record !== null && !deps.signal.aborted) {
    const isUnsure = attempts === null ? record.attempted : attempts.code === "connection_lost";
    tell(deps, record, isUnsure ? { state: "checking" } : { state: "sending" });
    let isStarted = false;
    try {
      if (isOutdated(record, Date.now())) await askCustomer(deps, record);
      else
        await attempt(deps, record, () => {
          isStarted = true;
          isStored = true;
        });
      return;
    } catch (error) {
      if (deps.signal.aborted) return;
      const failed = deps.failureOf(error);
      attempts = countFailure(attempts, failed.code, Date.now());
      isInDoubt ||= errorRules[failed.code].outcome === "unknown";
      const next = nextStep(failed, attempts, Date.now(), !deps.isOnline());
      // If the message is stored, or may be, the list shows its outcome. If its chat exists, no second one is
      // created.
      const isListable =
        next.step === "refuse"
          ? isStored || (isInDoubt && !keepsKey(failed))
          : next.step === "renew_create_key" && deps.outbox.find(record.key)?.chatId != null;
      const step = isListable ? ({ step: "look_up" } as const) : next;
      // A repeated stream was lost, too, but the answer may be complete.
      if (isStarted && attempts.count > 1 && step.step === "resend")
        await outcomeOf(deps, failed, record).catch(deps.failureOf);
      if (deps.signal.aborted || stillToSend(deps, record) === null) return;
      // Nothing was stored: an equal message in the list is another one.
      if (step.step === "refuse" && !isInDoubt) deps.outbox.update(record.key, { attempted: false });
      await take(deps, step, record, { failed, attempts, wasUnsure: isUnsure });
    }
    record = stillToSend(deps, record);
  }
}

/** Null once the message was delivered, refused or taken back. */
function stillToSend({ outbox }: DeliveryContext, { key }: OutboxRecord): OutboxRecord | null {
  const record = outbox.find(key);
  return record?.refusal === null ? record : null;
}

/** Completes a wait that the server asked for before a reload, or before this tab took over. */
async function endPause(deps: DeliveryContext, record: OutboxRecord): Promise<void> {
  const { pause } = record;
  const at = pause === null ? null : askedUntil(pause);
  const remaining = (at ?? 0) - Date.now();
  if (pause === null || at === null || remaining <= 0) return;
  // A clock that was set back would make this wait endless.
  if (remaining > (errorRules[pause.code].repeat?.longest ?? 0)) return;
  tell(deps, record, { state: "waiting", at, failure: pause });
  await deps.pauses.sleep(remaining, "time");
}

/** Looks an outdated message up instead of sending it. If it has no answer, the customer decides. */
async function askCustomer(deps: DeliveryContext, record: OutboxRecord): Promise<void> {
  const mayBeListed = record.attempted && record.chatId !== null;
  if (!mayBeListed) return refuse(deps, record, failure("outdated"));
  const outcome = await outcomeOf(deps, failure("outdated"), record);
  if (outcome !== null) refuse(deps, record, outcome);
}

/** One request, or two for the first message of a chat. Returns at `done`, or throws. */
async function attempt(deps: DeliveryContext, record: OutboxRecord, onStart: () => void): Promise<void> {
  // It is none of the messages that are listed before its first attempt.
  const others = deps.messagesOf(record).filter((message) => isContentOf(record, message));
  const takenIds = [...new Set([...record.takenIds, ...others.map(({ id }) => id)])];
  const place = record.attempted ? {} : { takenIds };
  deps.outbox.update(record.key, { attempted: true, pause: null, ...place });
  const chatId = record.chatId ?? (await newChat(deps, record, record.locale));
  const stored = { ...record, chatId };
  const stream = deps.client.streamMessage(chatId, bodyOf(record), {
    idempotencyKey: record.key,
    signal: deps.signal,
  });
  await stream.read((event) => {
    if (event.type === "start") {
      onStart();
      deps.publish(stored, { type: "turn_started", key: record.key, start: event });
    } else if (event.type === "delta")
      deps.publish(stored, { type: "turn_delta", key: record.key, text: event.text });
    else {
      deps.outbox.settle(stored, event.item.message);
      deps.publish(stored, { type: "turn_done", key: record.key, turn: event.item });
    }
  });
}

interface FailedDelivery {
  failed: Failure;
  attempts: FailedAttempts;
  /** The outcome was in doubt before this attempt. */
  wasUnsure: boolean;
}

async function take(
  deps: DeliveryContext,
  step: ReturnType<typeof nextStep>,
  record: OutboxRecord,
  { failed, attempts, wasUnsure }: FailedDelivery,
): Promise<void> {
  switch (step.step) {
    case "resend":
      if (failed.retryAfterSeconds !== null) deps.outbox.update(record.key, { pause: failed });
      tell(deps, record, { state: "waiting", at: Date.now() + step.after, failure: failed });
      return pause(deps, failed, step.after);
    case "start_session":
      // If that fails as well, the next attempt reports it.
      return void (await deps.startSession().catch(() => undefined));
    case "renew_create_key":
      // Only an earlier attempt can have created a chat that is gone now.
      return renewCreateKey(deps, record, wasUnsure);
    case "look_up":
      return lookUp(deps, record, { failed, attempts });
    case "refuse":
      return refuse(deps, record, failed);
    default:
      return assertNever(step);
  }
}

/** No event ends the part of the wait that the server asked for. What is left may be longer. */
async function pause({ pauses, signal }: DeliveryContext, failed: Failure, wait: number): Promise<void> {
  const end = endOfWait(failed);
  if (end !== "time") return pauses.sleep(wait, end);
  const asked = Math.min(askedWaitOf(failed) ?? 0, wait);
  await pauses.sleep(asked, "time");
  if (wait > asked && !signal.aborted) await pauses.sleep(wait - asked, "network");
}

async function lookUp(
  deps: DeliveryContext,
  record: OutboxRecord,
  { failed, attempts }: Omit<FailedDelivery, "wasUnsure">,
): Promise<void> {
  const current = deps.outbox.find(record.key) ?? record;
  // The chat was requested under this key with another `locale`: requests it once more, under a new key.
  if (current.chatId === null && errorRules[failed.code].ends === "key" && attempts.count === 1)
    return renewCreateKey(deps, current);
  // A chat that was not created has no messages to list.
  if (current.chatId === null) return refuse(deps, current, failed);
  let lost: FailedAttempts | null = null;
  for (let looks = 0; !deps.signal.aborted; ) {
    const read = await deps.readNews(current).catch(deps.failureOf);
    let wait: number | undefined;
    if ("code" in read) {
      // The list cannot be read either. If this lasts, the message is refused with the list's failure; it can
      // be sent again later.
      lost = countFailure(lost, "connection_lost", Date.now());
      const step = nextStep(failure("connection_lost"), lost, Date.now(), !deps.isOnline());
      if (errorRules[read.code].ends === "page" || step.step !== "resend") return refuse(deps, current, read);
      wait = step.after;
    } else {
      const outcome = afterReading(deps, failed, current, read);
      if (outcome === null) return;
      wait = looks < lookUpCount(outcome) ? conversationLimits.lookUpWaits[looks] : undefined;
      if (wait === undefined) {
        refuse(deps, current, outcome);
        // The answer may still come, and settles the refused message (`lateNewsOf`).
        if (outcome.isListed === true) void deps.syncSoon(current);
        return;
      }
      looks += 1;
    }
    tell(deps, current, { state: "unsure" });
    await deps.pauses.sleep(wait, "news");
    if (stillToSend(deps, current) === null) return;
  }
}

/** `afterReading` of the list as it is now. */
async function outcomeOf(deps: DeliveryContext, failed: Failure, record: OutboxRecord) {
  return afterReading(deps, failed, record, await deps.readNews(record));
}

/** Settles the record if the list holds it and nothing is left to do; otherwise returns the failure. */
function afterReading(
  { outbox, publish }: DeliveryContext,
  failed: Failure,
  record: OutboxRecord,
  listing: Listing,
): Failure | null {
  const match = matchDelivered(recordsOf(outbox.all(), record), listing.messages).get(record.key);
  // If the list does not reach back to where it was sent, it may be among the earlier ones.
  const hasOlder = listing.hasOlder && !isIn(listing.messages, record.afterMessageId);
  const outcome = afterLookUp(failed, match, { ...listing, hasOlder });
  if (outcome !== null || match === undefined) return outcome;
  outbox.settle(record, match.message);
  publish(record, { type: "settled", key: record.key });
  return null;
}

function refuse(deps: DeliveryContext, record: OutboxRecord, refusal: Failure): void {
  keepRefused(deps, record, refusal);
  // Reads the chat to show that it is closed or gone. If the read fails, the next poll repeats it.
  const { ends } = errorRules[refusal.code];
  if (ends === "closed" || ends === "gone") deps.readNews(record).catch(() => undefined);
}

/** Keeps the message, which is not sent again unless the customer asks for it. */
export function keepRefused(
  { outbox, publish }: Pick<DeliveryContext, "outbox" | "publish">,
  record: OutboxRecord,
  refusal: Failure,
): void {
  outbox.update(record.key, { refusal });
  tell({ publish }, record, { state: "refused", failure: refusal });
}

function tell({ publish }: Pick<DeliveryContext, "publish">, record: OutboxRecord, delivery: Delivery): void {
  publish(record, { type: "delivery_changed", key: record.key, delivery });
}
