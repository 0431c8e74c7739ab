/**
 * Sends the messages in the outbox, one per conversation at a time, until each has its outcome. Any tab may
 * do it, but only one does. After a reload, a crash or a lost connection the same request goes out again
 * under the same key.
 */
import type { Chat } from "../../../../lib/chat-api/chat.ts";
import type { Message } from "../../../../lib/chat-api/message.ts";
import type { ChatClient } from "../../../../lib/chat-client/client.ts";
import { assertNever } from "../../../../lib/conversation/assert-never.ts";
import { type ConversationRef, conversationName } from "../../../../lib/conversation/conversation-ref.ts";
import {
  afterLookUp,
  countFailure,
  type FailedAttempts,
  findDelivered,
  isOutdated,
  type Listing,
  looksFor,
  nextStep,
} from "../../../../lib/conversation/delivery/delivery.ts";
import { bodyOf, type OutboxRecord } from "../../../../lib/conversation/delivery/outbox.ts";
import { askedUntil, type Failure, failure, failureOf } from "../../../../lib/conversation/failure.ts";
import { conversationLimits } from "../../../../lib/conversation/limits.ts";
import type { ConversationAction } from "../../../../lib/conversation/state/reducer.ts";
import type { Alarm } from "../alarm.ts";
import { newKey } from "../new-key.ts";
import type { Tabs } from "../tabs/tabs.ts";
import type { OutboxStore } from "./outbox-store.ts";

export interface DeliveryDeps {
  client: Pick<ChatClient, "createChat" | "streamMessage">;
  outbox: OutboxStore;
  tabs: Tabs;
  alarm: Alarm;
  /** Applies the action to the conversation in every tab that shows it. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
  /** The chat's latest messages and its mode, from the server. */
  readNews(conversation: ConversationRef): Promise<Listing>;
  startSession(): Promise<unknown>;
  onChatCreated(record: OutboxRecord, chat: Chat): void;
}

export interface DeliveryLoop {
  /** Checks the outbox and sends what is due. */
  kick(): void;
  /** Aborts the request in flight. The next sender repeats it under the same key. */
  close(): void;
}

export function createDeliveryLoop(deps: DeliveryDeps): DeliveryLoop {
  const { outbox, tabs, publish } = deps;
  /** Names of the conversations that this tab sends for, or queues for. */
  const running = new Set<string>();
  const closed = new AbortController();
  const isOpen = () => !closed.signal.aborted;

  const next = (name: string) =>
    outbox.all().find((record) => record.refusal === null && conversationName(record) === name);

  async function run(name: string): Promise<void> {
    await tabs.exclusively(`send:${name}`, async () => {
      for (let record = next(name); record !== undefined && isOpen(); record = next(name))
        await deliverAlone(record);
    });
  }

  /**
   * A chat's first message is sent under the conversation's former name. The tab that sends it may still hold
   * that lock although the chat has another name now.
   */
  async function deliverAlone(record: OutboxRecord): Promise<void> {
    if (record.chatId === null) return deliver(record);
    await tabs.exclusively(`send:${record.createKey}`, async () => {
      const current = outbox.find(record.key);
      if (current?.refusal === null) await deliver(current);
    });
  }

  function kick(): void {
    if (!isOpen()) return;
    for (const record of outbox.all()) {
      const name = conversationName(record);
      if (record.refusal !== null || running.has(name)) continue;
      running.add(name);
      const end = () => running.delete(name);
      run(name)
        // The chat of the first message exists now, so the messages behind it continue under the chat's name.
        .then(() => end() && kick())
        .catch((error: unknown) => end() && reportError(error));
    }
  }

  async function deliver(first: OutboxRecord): Promise<void> {
    let record: OutboxRecord | null = first;
    let attempts: FailedAttempts | null = null;
    await endPause(first);
    while (record !== null && isOpen()) {
      const isUnsure = attempts === null ? record.attempted : attempts.code === "connection_lost";
      publish(record, {
        type: "delivery_changed",
        key: record.key,
        delivery: { state: isUnsure ? "checking" : "sending" },
      });
      try {
        if (isOutdated(record, Date.now())) await askCustomer(record);
        else await attempt(record);
        return;
      } catch (error) {
        if (!isOpen()) return;
        const failed = failureOf(error);
        attempts = countFailure(attempts, failed.code, Date.now());
        await take(nextStep(failed, attempts, Date.now(), !navigator.onLine), record, failed, attempts);
      }
      const stored = outbox.find(record.key);
      record = stored?.refusal === null ? stored : null;
    }
  }

  /** The wait that a server asked for before a reload, or before another tab took over. */
  async function endPause({ key, pause, ...conversation }: OutboxRecord): Promise<void> {
    const at = pause === null ? null : askedUntil(pause);
    const left = (at ?? 0) - Date.now();
    // A clock that was set back would make this wait endless.
    if (pause === null || at === null || left <= 0 || left > conversationLimits.longestAutomaticWaitForPlan)
      return;
    publish(conversation, {
      type: "delivery_changed",
      key,
      delivery: { state: "waiting", at, failure: pause },
    });
    await deps.alarm.sleep(left);
  }

  /** For a message that has been here too long: it may have arrived; if not, the customer decides. */
  async function askCustomer(record: OutboxRecord): Promise<void> {
    const mayBeListed = record.attempted && record.chatId !== null;
    if (!mayBeListed) return refuse(record, failure("outdated"));
    const told = afterLookUp(failure("outdated"), record, await deps.readNews(record));
    if (told === null) settle(record);
    else refuse(record, told);
  }

  /** One request, or two for the first message of a chat. Returns at `done`, or throws. */
  async function attempt(record: OutboxRecord): Promise<void> {
    outbox.update(record.key, { attempted: true, pause: null });
    const chatId = record.chatId ?? (await createChat(record));
    const stored = { ...record, chatId };
    for await (const event of deps.client.streamMessage(chatId, bodyOf(record), {
      idempotencyKey: record.key,
      signal: closed.signal,
    })) {
      if (event.type === "start") publish(stored, { type: "turn_started", key: record.key, start: event });
      else if (event.type === "delta")
        publish(stored, { type: "turn_delta", key: record.key, text: event.text });
      else {
        outbox.remove(record.key);
        tellApart(stored, event.item.message);
        publish(stored, { type: "turn_done", key: record.key, turn: event.item });
      }
    }
  }

  /** An equal message is searched for after this one, which is not its match. */
  function tellApart(delivered: OutboxRecord, message: Message): void {
    for (const other of outbox.all()) {
      if (other.chatId === delivered.chatId && findDelivered(other, [message]) !== null)
        outbox.update(other.key, { afterMessageId: message.id });
    }
  }

  async function createChat(record: OutboxRecord): Promise<string> {
    const { item } = await deps.client.createChat(
      { locale: record.locale },
      { idempotencyKey: record.createKey, signal: closed.signal },
    );
    outbox.chatCreated(record.createKey, item.id);
    deps.onChatCreated(record, item);
    publish(record, { type: "chat_created", chat: item });
    return item.id;
  }

  async function take(
    step: ReturnType<typeof nextStep>,
    record: OutboxRecord,
    failed: Failure,
    attempts: FailedAttempts,
  ): Promise<void> {
    switch (step.step) {
      case "resend":
        if (failed.retryAfterSeconds !== null) outbox.update(record.key, { pause: failed });
        publish(record, {
          type: "delivery_changed",
          key: record.key,
          delivery: { state: "waiting", at: Date.now() + step.after, failure: failed },
        });
        return deps.alarm.sleep(step.after, failed.code === "turn_in_progress");
      case "start_session":
        // If that fails as well, the next attempt reports it.
        return void (await deps.startSession().catch(() => undefined));
      case "renew_create_key":
        return renewCreateKey(record);
      case "look_up":
        return lookUp(record, failed, attempts);
      case "refuse":
        return refuse(record, failed);
      default:
        return assertNever(step);
    }
  }

  function renewCreateKey(record: OutboxRecord): void {
    const createKey = newKey();
    for (const waiting of outbox.all().filter((other) => other.createKey === record.createKey)) {
      outbox.update(waiting.key, { createKey, chatId: null });
    }
    publish(record, { type: "restarted", createKey });
  }

  async function lookUp(record: OutboxRecord, failed: Failure, attempts: FailedAttempts): Promise<void> {
    const current = outbox.find(record.key) ?? record;
    // The chat was requested under this key in another language, which is part of that request.
    if (current.chatId === null && failed.code === "idempotency_conflict" && attempts.count === 1)
      return renewCreateKey(current);
    // A chat that was not created has no list.
    if (current.chatId === null) return refuse(current, failed);
    let lost: FailedAttempts | null = null;
    for (let looks = 0; isOpen(); ) {
      const read = await deps.readNews(current).catch(failureOf);
      let wait: number | undefined;
      if ("code" in read) {
        // The list cannot be read either: its failure explains why, and the same key gets the same answer
        // later.
        lost = countFailure(lost, "connection_lost", Date.now());
        const step = nextStep(failure("connection_lost"), lost, Date.now(), !navigator.onLine);
        if (step.step !== "resend") return refuse(current, read);
        wait = step.after;
      } else {
        const told = afterLookUp(failed, current, read);
        if (told === null) return settle(current);
        wait = looks < looksFor(told) ? conversationLimits.lookUpWaits[looks] : undefined;
        if (wait === undefined) return refuse(current, told);
        looks += 1;
      }
      publish(current, { type: "delivery_changed", key: current.key, delivery: { state: "unsure" } });
      await deps.alarm.sleep(wait, true);
      if (outbox.find(current.key) === null) return;
    }
  }

  function settle(record: OutboxRecord): void {
    outbox.remove(record.key);
    publish(record, { type: "settled", key: record.key });
  }

  function refuse(record: OutboxRecord, refusal: Failure): void {
    const refused = outbox.update(record.key, { refusal });
    publish(refused ?? record, {
      type: "delivery_changed",
      key: record.key,
      delivery: { state: "refused", failure: refusal },
    });
    // The next poll reads whatever is missing now.
    if (refusal.code === "chat_closed") deps.readNews(record).catch(() => undefined);
  }

  return {
    kick,
    close() {
      closed.abort();
      deps.alarm.wake();
    },
  };
}
