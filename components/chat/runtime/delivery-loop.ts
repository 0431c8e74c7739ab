/**
 * Sends what lies in the outbox, one message of a conversation at a time, until each has its outcome. Any tab may do
 * it, one does; after a reload, a crash or a lost connection the same request goes out again with the same key.
 */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Message } from "#lib/chat-api/message.ts";
import type { ChatClient } from "#lib/chat-client/client.ts";
import { assertNever } from "#lib/conversation/assert-never.ts";
import { type ConversationRef, conversationName } from "#lib/conversation/conversation-ref.ts";
import {
  afterLookUp,
  countFailure,
  type FailedAttempts,
  isOutdated,
  nextStep,
} from "#lib/conversation/delivery.ts";
import { type Failure, failure, failureOf } from "#lib/conversation/failure.ts";
import { bodyOf, type OutboxRecord } from "#lib/conversation/outbox.ts";
import type { ConversationAction } from "#lib/conversation/reducer.ts";
import type { Alarm } from "./alarm.ts";
import { newKey } from "./new-key.ts";
import type { OutboxStore } from "./outbox-store.ts";
import type { Tabs } from "./tabs.ts";

export interface DeliveryDeps {
  client: Pick<ChatClient, "createChat" | "streamMessage">;
  outbox: OutboxStore;
  tabs: Tabs;
  alarm: Alarm;
  /** Applies the action to the conversation wherever it is on screen. */
  publish(conversation: ConversationRef, action: ConversationAction): void;
  /** The chat's latest messages, from the server. */
  readNews(conversation: ConversationRef): Promise<readonly Message[]>;
  startSession(): Promise<unknown>;
  onChatCreated(record: OutboxRecord, chat: Chat): void;
}

export interface DeliveryLoop {
  /** Looks into the outbox and sends what is there to send. */
  kick(): void;
  /** Leaves what is on its way to whoever sends next: the same request goes out again with the same key. */
  close(): void;
}

export function createDeliveryLoop(deps: DeliveryDeps): DeliveryLoop {
  const { outbox, tabs, publish } = deps;
  /** Names of the conversations that this tab is sending for, or waits to. */
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
   * A chat's first message goes out under the name that the conversation had before the chat existed: the tab that
   * sends it may not be done yet, though its chat has another name now.
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
        // The first message's chat exists now: what waited behind it goes on under the chat's name.
        .then(() => end() && kick())
        .catch((error: unknown) => end() && reportError(error));
    }
  }

  async function deliver(first: OutboxRecord): Promise<void> {
    let record: OutboxRecord | null = first;
    let attempts: FailedAttempts | null = null;
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

  /** For a message that has lain here too long: it may have arrived all the same, else the customer decides. */
  async function askCustomer(record: OutboxRecord): Promise<void> {
    const mayBeListed = record.attempted && record.chatId !== null;
    if (mayBeListed) conclude(record, failure("outdated"), await deps.readNews(record));
    else refuse(record, failure("outdated"));
  }

  /** One request, or two for the first message of a chat. Ends with `done`, or throws. */
  async function attempt(record: OutboxRecord): Promise<void> {
    outbox.update(record.key, { attempted: true });
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
        publish(stored, { type: "turn_done", key: record.key, turn: event.item });
      }
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
        publish(record, {
          type: "delivery_changed",
          key: record.key,
          delivery: { state: "waiting", at: Date.now() + step.after, failure: failed },
        });
        return deps.alarm.sleep(step.after, failed.code === "turn_in_progress");
      case "start_session":
        // Where that fails too, the next attempt says so.
        return void (await deps.startSession().catch(reportError));
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
    // Under this key the chat was asked for in another language, which is part of that request.
    if (current.chatId === null && failed.code === "idempotency_conflict" && attempts.count === 1)
      return renewCreateKey(current);
    const read = await deps.readNews(current).catch(failureOf);
    if (!("code" in read)) return conclude(current, failed, read);
    // The list is out of reach as well: the message's request, sent again, gives the same answer, then or later.
    const step = nextStep(failure("connection_lost"), attempts, Date.now(), !navigator.onLine);
    return take(step, current, read, attempts);
  }

  function conclude(record: OutboxRecord, failed: Failure, messages: readonly Message[]): void {
    const told = afterLookUp(failed, record, messages);
    if (told !== null) refuse(record, told);
    else {
      outbox.remove(record.key);
      publish(record, { type: "settled", key: record.key });
    }
  }

  function refuse(record: OutboxRecord, refusal: Failure): void {
    const refused = outbox.update(record.key, { refusal });
    publish(refused ?? record, {
      type: "delivery_changed",
      key: record.key,
      delivery: { state: "refused", failure: refusal },
    });
    if (refusal.code === "chat_closed") deps.readNews(record).catch(reportError);
  }

  return {
    kick,
    close() {
      closed.abort();
      deps.alarm.ring();
    },
  };
}
