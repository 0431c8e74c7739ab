/**
 * A simulated customer: the browser's own client, outbox, delivery loop and retries, in Node. Its requests
 * and their outcomes go into the history.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Collection } from "#lib/chat-api/collection.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { callerHeader } from "#lib/chat-api/headers.ts";
import type { File, Message, MessageTurn } from "#lib/chat-api/message.ts";
import { type ChatClient, createChatClient, type TurnStream } from "#lib/chat-client/client.ts";
import type { Fetch } from "#lib/chat-client/connection.ts";
import { createDeliveryLoop, type DeliveryLoop } from "#lib/engine/delivery/delivery-loop.ts";
import { repeatWrite } from "#lib/engine/delivery/repeat-write.ts";
import { createFailureOf } from "#lib/engine/failure.ts";
import { clientOptions } from "#lib/engine/identity/browser-client.ts";
import { type NamedCustomer, ownerOf, type Session } from "#lib/engine/identity/session.ts";
import { newKey } from "#lib/engine/new-key.ts";
import { keepsKey, type OutboxRecord } from "#lib/engine/outbox/outbox.ts";
import { createOutboxStore, type OutboxStore } from "#lib/engine/outbox/outbox-store.ts";
import type { Tabs } from "#lib/engine/tabs/tabs.ts";
import { memoryStorage } from "#lib/engine/testing/memory-storage.ts";
import type { Random } from "../../simulation/random.ts";
import type { Ended, History, Invoked, ReplyExpectation, WriteOperation } from "./history.ts";
import { allMessages, recorded } from "./reading.ts";

export interface CustomerOptions {
  id: string;
  /** The BFF's address, and the origin of the page that calls it. */
  origin: string;
  appOrigin: string;
  /** The customer's IP address, as a proxy would report it. */
  address: string;
  random: Random;
  history: History;
  /** Creates a text for one message, unique to it. */
  nonce(): string;
  /** Called when the page closes in the middle of a request and opens again. */
  onReload(): void;
  /** Starts no new request after it is aborted. */
  until: AbortSignal;
}

/** Maximum number of times that the customer presses "Try again", and the pause before each. */
const presses = 40;
const pressAfter = 1_500;
/** The pause after a rate limit. */
const pressAfterLimit = 4_000;

/** Waits between attempts are multiplied by this factor. */
const patience = 0.15;

const isOnline = () => true;
/** Reports nothing: the history has what goes wrong, and Node has no `reportError`. */
const failureOf = createFailureOf(() => undefined);

/** Locks shared by the tabs of one browser. Without them each tab works alone. */
function tabsOf(holders: Map<string, Promise<unknown>> | null): Tabs {
  return {
    async exclusively(name, act) {
      const work = () => act(new AbortController().signal, false);
      if (holders === null) return work();
      const before = holders.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      holders.set(
        name,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}

export interface SaidMessage {
  /** Undefined when the outcome is unknown or was found in the list. */
  turn: MessageTurn | undefined;
  chatId: string | null;
  outcome: Ended["outcome"];
}

export class Customer {
  readonly #options: CustomerOptions;
  readonly #client: ChatClient;
  readonly #storage = memoryStorage();
  readonly #outbox: OutboxStore = createOutboxStore(this.#storage, () => undefined);
  readonly #locks = new Map<string, Promise<unknown>>();
  /** The outcome of each message, as its delivery loop reported it. */
  readonly #turns = new Map<string, MessageTurn>();
  readonly #createdUnder = new Map<string, string>();
  #cookie = "";
  #named: NamedCustomer = { tag: "", isGuest: true };

  constructor(options: CustomerOptions) {
    this.#options = options;
    const session: Session = {
      api: "/api/chat",
      customer: () => this.#named,
      start: async () => {
        options.history.add({ type: "broken", what: `${options.id} lost their session` });
        return this.#named;
      },
      settled: () => Promise.resolve(),
      refusal: () => null,
    };
    const send: Fetch = (address, init) => this.#send(address, init);
    this.#client = createChatClient(clientOptions({ session, owner: ownerOf(this.#named), send }));
  }

  /** Opens up to three chats, one after the other, and stops early when the time is up. */
  async live(): Promise<void> {
    const { random, until } = this.#options;
    await this.startSession();
    // The number of chats that a session may create within a minute.
    for (let chats = random.between(1, 3); chats > 0 && !until.aborted; chats -= 1) await this.#chat();
  }

  async startSession(): Promise<void> {
    while (!this.#options.until.aborted) {
      const response = await fetch(`${this.#options.origin}/api/chat/session`, {
        method: "POST",
        headers: { ...this.#pageHeaders(), "content-type": "application/json" },
        body: "{}",
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined);
      const body = await response?.text().catch(() => undefined);
      const [setCookie = ""] = response?.headers.getSetCookie() ?? [];
      if (response?.ok && body !== undefined && setCookie !== "") {
        this.#cookie = setCookie.split(";", 1).join("");
        this.#named = { tag: response.headers.get(callerHeader) ?? "", isGuest: true };
        return;
      }
      await pause(200);
    }
  }

  #pageHeaders(): Record<string, string> {
    const { appOrigin, address } = this.#options;
    return {
      origin: appOrigin,
      "sec-fetch-site": "same-origin",
      "x-chat-client": "1",
      "x-forwarded-for": address,
      ...(this.#cookie === "" ? {} : { cookie: this.#cookie }),
    };
  }

  async #send(address: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#pageHeaders())) headers.set(name, value);
    const key = headers.get("idempotency-key");
    const response = await fetch(this.#options.origin + address, { ...init, headers });
    if (key !== null)
      this.#options.history.add({
        type: "answered",
        customer: this.#options.id,
        operation: address.split("/").at(-1) ?? "",
        key,
        status: response.status,
      });
    return response;
  }

  async #chat(): Promise<void> {
    const { random, until } = this.#options;
    const createKey = newKey();
    let chatId: string | null = null;
    let offer: { confirmationId: string } | undefined;
    for (let messages = random.between(4, 14); messages > 0 && !until.aborted; messages -= 1) {
      const said: SaidMessage = await this.say(chatId, createKey);
      chatId = said.chatId;
      if (chatId === null) return;
      const reply = said.turn?.reply ?? null;
      if (reply?.collection != null && random.chance(0.5)) await this.#fillIn(chatId);
      offer = reply?.handoffOffer ?? offer;
      // A list that cannot be read proves nothing.
      if (random.chance(0.25)) await this.#list(chatId).catch(() => undefined);
    }
    if (chatId === null || until.aborted) return;
    if (random.chance(0.3)) {
      const asked = await this.say(chatId, createKey, "Can I talk to a person please?");
      offer = asked.turn?.reply?.handoffOffer ?? offer;
    }
    if (offer !== undefined && random.chance(0.7)) {
      await this.#passOn(chatId, offer.confirmationId);
      if (random.chance(0.5)) await this.say(chatId, createKey);
    }
  }

  #question(): { words: string; expects: ReplyExpectation } {
    return this.#options.random.weighted<{ words: string; expects: ReplyExpectation }>([
      [5, { words: "Where is my order", expects: "echo" }],
      [2, { words: "Do you deliver to Ireland?", expects: "any" }],
      [2, { words: "Which helmets do you have?", expects: "any" }],
      [1, { words: "long answer", expects: "any" }],
      [1, { words: "ask me a question", expects: "question" }],
    ]);
  }

  /** Sends a message and waits for its outcome. */
  async say(chatId: string | null, createKey: string, words?: string): Promise<SaidMessage> {
    const { random, nonce } = this.#options;
    const question = words === undefined ? this.#question() : { words, expects: "any" as const };
    // Only questions about an order let the agent repeat the nonce.
    const text =
      question.expects === "echo" ? `${question.words} ${nonce()}?` : `${question.words} (ref ${nonce()})`;
    const files = chatId !== null && random.chance(0.15) ? await this.#upload(chatId) : [];
    if (chatId !== null && random.chance(0.2)) return this.#sayInJson(chatId, text, question.expects, files);
    return this.#deliver({ chatId, createKey, text, files }, question.expects);
  }

  /** Sends through the outbox and the delivery loop, as the composer does. */
  async #deliver(
    { createKey, chatId, text, files }: Pick<OutboxRecord, "createKey" | "chatId" | "text" | "files">,
    expects: ReplyExpectation,
  ): Promise<SaidMessage> {
    const { history, id } = this.#options;
    const key = newKey();
    const isCreated = chatId !== null || this.#createdUnder.has(createKey);
    if (!isCreated) this.#invoked({ operation: "createChat", key: createKey, request: { locale: "en" } });
    this.#invoked({
      operation: "sendMessage",
      key,
      chatId,
      createKey,
      request: sendRequest(text, files),
      expects,
    });
    this.#outbox.put({
      key,
      createKey,
      chatId,
      locale: "en",
      text,
      files,
      afterMessageId: null,
      takenIds: [],
      createdAt: Date.now(),
      attempted: false,
      pause: null,
      refusal: null,
    });
    const ended = await this.#untilSettled(key);
    const nowIn = chatId ?? this.#createdUnder.get(createKey) ?? null;
    this.#outbox.remove(key);
    const end = { type: "ended", customer: id } as const;
    history.add({ ...end, operation: "sendMessage", key, ...ended });
    if (chatId === null) {
      const outcome = nowIn === null ? "unknown" : "ok";
      history.add({ ...end, operation: "createChat", key: createKey, outcome, code: null });
    }
    return { turn: this.#turns.get(key), chatId: nowIn, outcome: ended.outcome };
  }

  /** Runs delivery loops until the outbox shows how the message ended, and presses "Try again" meanwhile. */
  async #untilSettled(key: string): Promise<Pick<Ended, "outcome" | "code" | "isListed">> {
    const { random, until, onReload } = this.#options;
    let closing = new AbortController();
    let loops = [this.#loop(this.#locks, closing.signal)];
    // A second page without locks sends the same message at the same time.
    if (random.chance(0.06)) loops.push(this.#loop(null, closing.signal));
    const sendDue = () => {
      for (const loop of loops) loop.sendDue();
    };
    let reloadAt = random.chance(0.1) ? performance.now() + random.between(0, 500) : Infinity;
    sendDue();
    try {
      for (let left = presses; ; ) {
        await pause(10);
        const record = this.#outbox.find(key);
        if (record === null) return { outcome: "ok", code: null };
        const { refusal } = record;
        if (refusal !== null) {
          left -= 1;
          if (!keepsKey(refusal))
            return { outcome: "failed", code: refusal.code, isListed: refusal.isListed };
          if (left <= 0) return { outcome: "unknown", code: refusal.code };
          await pause(refusal.code === "rate_limited" ? pressAfterLimit : pressAfter);
          this.#outbox.update(key, { refusal: null, createdAt: Date.now() });
          sendDue();
        } else if (until.aborted) left = Math.min(left, 5);
        if (performance.now() > reloadAt) {
          reloadAt = Infinity;
          onReload();
          closing.abort();
          closing = new AbortController();
          loops = [this.#loop(this.#locks, closing.signal)];
          sendDue();
        }
      }
    } finally {
      closing.abort();
    }
  }

  #loop(locks: Map<string, Promise<unknown>> | null, signal: AbortSignal): DeliveryLoop {
    const { history, id } = this.#options;
    return createDeliveryLoop({
      signal,
      storage: this.#storage,
      remembered: {
        adopt: ({ createKey }, chat) => void this.#createdUnder.set(createKey, chat.id),
        current: () => null,
      },
      client: {
        createChat: async (body, call) => {
          const written = await this.#client.createChat(body, call);
          this.#resulted("createChat", call.idempotencyKey, written.item);
          return written;
        },
        streamMessage: (chatId, body, call) =>
          this.#recorded(this.#client.streamMessage(chatId, body, call), call.idempotencyKey),
      },
      outbox: this.#outbox,
      tabs: tabsOf(locks),
      pauses: { sleep: (milliseconds) => pause(milliseconds * patience), wake: () => undefined },
      isOnline,
      failureOf,
      publish: (_, action) => {
        if (action.type === "turn_done") this.#turns.set(action.key, action.turn);
      },
      readNews: async ({ chatId }) => {
        if (chatId === null) return { messages: [], mode: "agent", hasOlder: false };
        const [messages, { mode }] = await Promise.all([this.#list(chatId), this.#client.getChat(chatId)]);
        return { messages, mode, hasOlder: false };
      },
      syncSoon: () => Promise.resolve(),
      messagesOf: () => [],
      startSession: async () => {
        history.add({ type: "broken", what: `${id} was asked for a session` });
      },
    });
  }

  #recorded(stream: TurnStream, key: string): TurnStream {
    const { history, id } = this.#options;
    return recorded(stream, { history, customer: id, key });
  }

  async #sayInJson(
    chatId: string,
    text: string,
    expects: ReplyExpectation,
    files: readonly File[],
  ): Promise<SaidMessage> {
    const request = sendRequest(text, files);
    const { item, outcome } = await this.#write<MessageTurn>({
      operation: "sendMessage",
      chatId,
      request,
      expects,
      attempt: (idempotencyKey) => this.#client.sendMessage(chatId, request, { idempotencyKey }),
    });
    return { turn: item, chatId, outcome };
  }

  async #upload(chatId: string): Promise<File[]> {
    const { random, nonce } = this.#options;
    const name = nonce();
    const text = `${name} `.repeat(random.between(1, 400));
    const upload = { bytes: new Blob([text]), filename: `${name}.txt`, mediaType: "text/plain" };
    const { item } = await this.#write<File>({
      operation: "uploadFile",
      chatId,
      request: { filename: upload.filename, text },
      attempt: (idempotencyKey) => this.#client.uploadFile(chatId, upload, { idempotencyKey }),
    });
    return item === undefined ? [] : [item];
  }

  async #fillIn(chatId: string): Promise<boolean> {
    const { random, nonce } = this.#options;
    const collection = await this.#client.getCollection(chatId).catch(() => undefined);
    const form = collection?.request;
    if (collection === undefined || form == null) return false;
    const action = form.canCancel && random.chance(0.3) ? "cancel" : "save";
    const values =
      action === "save"
        ? new Map(form.fields.map(({ fieldId }) => [fieldId, answerTo(collection, fieldId, nonce())]))
        : undefined;
    const body = {
      collectionRequestId: form.id,
      expectedVersion: collection.version,
      action,
      ...(values === undefined ? {} : { values }),
    } as const;
    const { outcome } = await this.#write<Collection>({
      operation: "submitCollection",
      chatId,
      request: values === undefined ? body : { ...body, values: Object.fromEntries(values) },
      attempt: (idempotencyKey) => this.#client.submitCollection(chatId, body, { idempotencyKey }),
    });
    return outcome === "ok" && action === "save";
  }

  async #passOn(chatId: string, confirmationId: string): Promise<void> {
    const body = { confirmationId, email: "maya@example.com" };
    // If the team asks for details first, the next attempt uses a new key.
    for (let tries = 0; tries < 3; tries += 1) {
      const { outcome, code } = await this.#write<Chat>({
        operation: "handoff",
        chatId,
        request: body,
        attempt: (idempotencyKey) => this.#client.handoff(chatId, body, { idempotencyKey }),
      });
      if (outcome !== "failed" || code !== "collection_incomplete") return;
      if (!(await this.#fillIn(chatId))) return;
    }
  }

  async #list(chatId: string): Promise<readonly Message[]> {
    const { history, id } = this.#options;
    const since = history.now();
    const items = await allMessages(this.#client, chatId);
    history.add({ type: "listed", since, customer: id, chatId, items });
    return items;
  }

  #invoked(invoked: Pick<Invoked, "operation" | "key" | "request"> & Partial<Invoked>): void {
    this.#options.history.add({
      type: "invoked",
      customer: this.#options.id,
      chatId: null,
      createKey: null,
      ...invoked,
    });
  }

  #resulted(operation: WriteOperation, key: string, item: unknown): void {
    this.#options.history.add({ type: "result", customer: this.#options.id, operation, key, item });
  }

  /**
   * Writes as the chat's forms do: retries by itself, then when the customer presses a button, under one key.
   */
  async #write<T>({
    operation,
    chatId,
    request,
    expects,
    attempt,
  }: {
    operation: WriteOperation;
    chatId: string;
    request: unknown;
    expects?: ReplyExpectation;
    attempt(key: string): Promise<{ item: T }>;
  }): Promise<{ item: T | undefined; outcome: Ended["outcome"]; code: string | null; key: string }> {
    const { history, id, until } = this.#options;
    const key = newKey();
    this.#invoked({ operation, key, chatId, request, ...(expects === undefined ? {} : { expects }) });
    const { signal } = new AbortController();
    const sleep = (milliseconds: number) => pause(milliseconds * patience);
    const end = (outcome: Ended["outcome"], code: string | null, item?: T) => {
      history.add({ type: "ended", customer: id, operation, key, outcome, code });
      return { item, outcome, code, key };
    };
    for (let press = 1; ; press += 1) {
      try {
        const { item } = await repeatWrite({ signal, sleep, isOnline, failureOf }, () => attempt(key));
        this.#resulted(operation, key, item);
        return end("ok", null, item);
      } catch (error) {
        const failed = failureOf(error);
        // The replayed result says that the list has to be read.
        if (failed.code === "operation_interrupted" || failed.code === "operation_superseded")
          return end("unknown", failed.code);
        if (error instanceof ChatApiError && !keepsKey(failed)) return end("failed", failed.code);
        if (press >= (until.aborted ? 5 : presses)) return end("unknown", failed.code);
        await pause(failed.code === "rate_limited" ? pressAfterLimit : pressAfter);
      }
    }
  }
}

function sendRequest(text: string, files: readonly File[]) {
  return { text, ...(files.length === 0 ? {} : { fileIds: files.map((file) => file.id) }) };
}

function answerTo({ fields }: Collection, fieldId: string, nonce: string): string {
  const field = fields.find(({ id }) => id === fieldId);
  if (field?.type === "email") return `customer.${nonce.toLowerCase()}@example.com`;
  if (field?.type === "choice") return field.choices[0]?.id ?? "";
  return fieldId === "order_reference" ? nonce : `about ${nonce}`;
}
