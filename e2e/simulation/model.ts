/**
 * A model of the Chat API, in memory, to be read beside docs/chat-api.md. It was written from the
 * specification alone, and it is the oracle of the simulation: what it stores is what was stored.
 *
 * Sentences in quotation marks are the specification's. The order of the checks, which it leaves open, is
 * that of `e2e/contract/general-rules.spec.ts`.
 */
import { createHash } from "node:crypto";
import type { Chat, File, Message, MessageTurn } from "../contract/support/shapes.ts";
import * as specification from "../contract/support/specification.ts";
import { type Answer, answerTo } from "./agent.ts";
import { closeForm, collectionOf, type Details, noDetails, openForm, submit } from "./model-collection.ts";
import {
  CreateChat,
  errorOf,
  errorResponse,
  Handoff,
  json,
  jsonText,
  keyOf,
  Refusal,
  readBody,
  readPath,
  readUpload,
  refuse,
  SendMessage,
  SubmitCollection,
  sorted,
  wantsStream,
} from "./model-http.ts";

const { limits } = specification;
type Code = specification.Code;
type OperationName = specification.OperationName;
const day = limits.daySeconds * 1_000;

interface Call {
  operation: OperationName;
  request: Request;
  url: URL;
  requestId: string;
  chatId: string;
  fileId: string;
}

/** The effect of a key. There is no `result` while its turn runs. */
interface Operation {
  fingerprint: string;
  chatId: string;
  createdAt: number;
  turn?: Turn;
  result?: Result;
}
type Result = { item: string } | { code: Code };

/** A message, or a closed form, that the agent answers. */
interface Turn {
  message?: Message;
  operation?: Operation;
  replyId: string;
  answer: Answer;
  streamed: string;
  attempt: number;
  watchers: Set<Watcher>;
}
/** `end`: the operation has its result. `cut`: the process is gone. */
type Watcher = (event: "delta" | "comment" | "end" | "cut", text: string) => void;

export interface StoredChat {
  chat: Chat;
  messages: Message[];
  files: Map<string, { file: File; bytes: Uint8Array<ArrayBuffer>; isReady: boolean }>;
  details: Details;
  offer: (NonNullable<Answer["offer"]> & { id: string }) | null;
  turn: Turn | null;
  operations: number;
}

export interface ModelOptions {
  channelKey: string;
  chatKey: string;
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
  /** The pause before each delta, in milliseconds. */
  pace?: number;
  /** The longest page that follows: one may be shorter than its `limit`. */
  pageSize?: () => number;
  /** The specification does not say from which end the pages run. */
  fromNewest?: boolean;
  answer?: (given: string) => Answer;
}

export type Model = ReturnType<typeof createModel>;

export function createModel(options: ModelOptions) {
  const { channelKey, chatKey, now, sleep, pace = 5, answer: reply = answerTo, ...paging } = options;
  const chats = new Map<string, StoredChat>();
  const operations = new Map<string, Operation>();
  /** The returned cursors: the index of a page's first message, or of the one after its last. */
  const cursors = new Map<string, { chatId: string; from: number; isExpired: boolean }>();
  /** The notices to the team: one for each accepted handoff. */
  const notices: { chatId: string; confirmationId: string; email: string | null }[] = [];
  /** The operations that were asked for under a key of another request. */
  const conflicts: OperationName[] = [];
  /** Ends each open request without a response. */
  const connections = new Set<() => void>();
  const rate = { since: 0, requests: 0 };
  let ids = 0;

  const switches = {
    published: true,
    suspended: false,
    /** The plan has no chats left. */
    planEnded: false,
    atCapacity: false,
    operationsPerChat: Number.POSITIVE_INFINITY,
    requestsPerMinute: 1_000_000,
    /** When the team is next available; null while it is. */
    teamBackAt: null as string | null,
    /** The code that every operation answers that can return it. */
    refusal: null as "internal_error" | "service_unavailable" | null,
  };

  const newId = (kind: string) => `${kind}_${String(++ids).padStart(8, "0")}`;
  const timestamp = (time = now()) => new Date(time).toISOString();

  // Every request

  async function fetch(request: Request): Promise<Response> {
    const requestId = newId("request");
    const { promise: crashed, reject } = Promise.withResolvers<never>();
    const cut = () => reject(new TypeError("fetch failed"));
    connections.add(cut);
    try {
      return await Promise.race([admit(request, requestId), crashed]);
    } catch (error) {
      if (error instanceof Refusal) return errorResponse(error, requestId);
      throw error;
    } finally {
      connections.delete(cut);
    }
  }

  async function admit(request: Request, requestId: string): Promise<Response> {
    const url = new URL(request.url);
    const { address, methods, ids: given } = readPath(url.pathname);
    const operation = methods?.get(request.method);
    if (methods === undefined) refuse("not_found");
    if (operation === undefined) {
      const response = errorResponse(new Refusal("method_not_allowed"), requestId);
      response.headers.set("Allow", [...methods.keys()].join(", "));
      return response;
    }
    const isAddress = /^dep_[a-z0-9_-]{6,80}$/.test(address);
    if (request.headers.has("origin")) refuse("origin_not_allowed");
    if (request.headers.get("authorization")?.replace(/^bearer/i, "Bearer") !== `Bearer ${chatKey}`)
      refuse("invalid_api_key");
    if (isAddress && address !== channelKey) refuse("invalid_api_key");
    if (!switches.published) refuse("channel_disabled");
    if (switches.suspended) refuse("workspace_suspended");
    if (!isAddress || given === null) refuse("invalid_id");
    const rateHeaders = countRequest();
    const { refusal } = switches;
    if (refusal !== null && specification.codesOf(operation).includes(refusal)) refuse(refusal);
    const [chatId = "", fileId = ""] = given;
    const response = await handlers[operation]({ operation, request, url, requestId, chatId, fileId });
    for (const [name, value] of rateHeaders) response.headers.set(`RateLimit-${name}`, String(value));
    response.headers.set("X-Request-Id", requestId);
    return response;
  }

  function countRequest(): [string, number][] {
    const limit = Math.min(switches.requestsPerMinute, 1_000_000);
    if (now() >= rate.since + 60_000) Object.assign(rate, { since: now(), requests: 0 });
    rate.requests += 1;
    const reset = Math.ceil((rate.since + 60_000 - now()) / 1_000);
    if (rate.requests > limit) throw new Refusal("rate_limited", undefined, reset);
    return Object.entries({ Limit: limit, Remaining: limit - rate.requests, Reset: reset });
  }

  // Idempotency

  const fingerprintOf = (call: Call, content: unknown) =>
    `${call.operation} ${call.chatId} ${JSON.stringify(content, sorted)}`;

  /** The operation of the key; undefined for a new key. */
  function known(call: Call, key: string, content: unknown): Operation | undefined {
    const operation = operations.get(key);
    if (operation === undefined) return undefined;
    // "The same key with a different request is refused with `idempotency_conflict`."
    if (operation.fingerprint !== fingerprintOf(call, content)) {
      conflicts.push(call.operation);
      refuse("idempotency_conflict");
    }
    if (operation.result !== undefined && "code" in operation.result) refuse(operation.result.code);
    return operation;
  }

  function record(
    call: Call,
    key: string,
    content: unknown,
    done: { chatId: string; result?: Result },
  ): Operation {
    const operation = { fingerprint: fingerprintOf(call, content), createdAt: now(), ...done };
    operations.set(key, operation);
    const stored = chats.get(done.chatId);
    if (stored !== undefined) stored.operations += 1;
    return operation;
  }

  /** "Repeating a request with the same key and the same content returns the first result." */
  function once(
    call: Call,
    key: string,
    content: unknown,
    run: () => unknown,
  ): { item: string; status: number } {
    const { result } = known(call, key, content) ?? {};
    if (result !== undefined && "item" in result) return { item: result.item, status: 200 };
    const item = JSON.stringify(run());
    record(call, key, content, { chatId: call.chatId, result: { item } });
    return { item, status: 201 };
  }

  const chatOf = ({ chatId }: Call) => chats.get(chatId) ?? refuse("chat_not_found");

  function requireReady({ chat, turn, operations: count }: StoredChat): void {
    if (count >= switches.operationsPerChat) refuse("operation_capacity_reached");
    if (chat.mode === "resolved") refuse("chat_closed");
    if (turn !== null) refuse("turn_in_progress");
    if (switches.planEnded) refuse("chat_limit_reached");
  }

  function append(stored: StoredChat, message: Partial<Message> & Pick<Message, "role" | "text">): Message {
    const createdAt = timestamp(Math.max(now(), Date.parse(stored.chat.updatedAt) + 1));
    const lists = { files: [], citations: [], products: [], orders: [], choices: [] };
    const nothing = { author: null, collection: null, handoffOffer: null, ...lists };
    const own = { id: newId("message"), chatId: stored.chat.id, createdAt };
    const appended = { ...own, ...nothing, ...message };
    stored.messages.push(appended);
    stored.chat = { ...stored.chat, updatedAt: createdAt };
    return appended;
  }

  // 1. Create a chat

  async function createChat(call: Call): Promise<Response> {
    const { key, body } = await readBody(call.request, CreateChat);
    const before = operations.get(key);
    // "A key that created a chat is kept 30 days."
    const isOld = before?.fingerprint.startsWith("createChat") && now() >= before.createdAt + 30 * day;
    if (before !== undefined && isOld && chats.has(before.chatId)) refuse("idempotency_key_expired");
    const creation = known(call, key, body);
    // "200 on replay with the same key, returning the chat as it is now"
    if (creation !== undefined)
      return json(200, { item: (chats.get(creation.chatId) ?? refuse("idempotency_resource_gone")).chat });
    if (switches.planEnded) refuse("chat_limit_reached");
    if (switches.atCapacity) refuse("capacity_limited");
    const times = { createdAt: timestamp(), updatedAt: timestamp(), resolvedAt: null };
    const owner = { channelKey, userId: body.userId ?? newId("guest") };
    const state = { mode: "agent", teammate: null, handoff: null, historyComplete: true } as const;
    const chat: Chat = { id: newId("chat"), ...owner, ...state, ...times };
    const empty = {
      messages: [],
      files: new Map(),
      details: noDetails(),
      offer: null,
      turn: null,
      operations: 0,
    };
    chats.set(chat.id, { chat, ...empty });
    record(call, key, body, { chatId: chat.id });
    return json(201, { item: chat });
  }

  // 3. Send a message

  async function sendMessage(call: Call): Promise<Response> {
    const { headers } = call.request;
    const beforeKey = () => {
      wantsStream(headers);
      if (headers.has("last-event-id")) refuse("unsupported_resume");
    };
    const { key, body } = await readBody(call.request, SendMessage, { beforeKey });
    const respond = wantsStream(headers) ? streamTurn : awaitTurn;
    const stored = chatOf(call);
    const before = known(call, key, body);
    if (before !== undefined) return respond(call, before, 200);
    requireReady(stored);
    const files = (body.fileIds ?? []).map((id, index) => usableFile(stored, id, `/fileIds/${index}`));
    // "`expiresAt` … until it is sent with a message, then `expiresAt` is null"
    for (const sent of files) sent.file = { ...sent.file, expiresAt: null };
    const sentFiles = files.map(({ file }) => file);
    const message = append(stored, { role: "visitor", text: body.text ?? "", files: sentFiles });
    const operation = record(call, key, body, { chatId: call.chatId });
    if (stored.chat.mode === "agent") begin(stored, reply(message.text), { operation, message });
    // "While the chat is with the team, `item.reply` is null."
    else operation.result = { item: JSON.stringify({ message, reply: null, chat: stored.chat }) };
    return respond(call, operation, 201);
  }

  function begin(stored: StoredChat, answer: Answer, asked: Pick<Turn, "operation" | "message"> = {}): void {
    const turn = {
      ...asked,
      answer,
      replyId: newId("message"),
      streamed: "",
      attempt: 0,
      watchers: new Set<Watcher>(),
    };
    stored.turn = turn;
    if (asked.operation !== undefined) asked.operation.turn = turn;
    void run(stored, turn);
  }

  /** One attempt at a turn. It writes nothing once the team or a later attempt has taken the turn away. */
  async function run(stored: StoredChat, turn: Turn): Promise<void> {
    const { answer } = turn;
    const attempt = ++turn.attempt;
    turn.streamed = "";
    for (const delta of answer.deltas) {
      for (let rest = pace * (answer.slowness ?? 1); rest > 0; rest -= 15_000) {
        await sleep(Math.min(rest, 15_000));
        if (stored.turn !== turn || turn.attempt !== attempt) return;
        // "A comment line is sent every 15 seconds to keep the connection open."
        if (rest > 15_000) tell(turn, "comment");
      }
      turn.streamed += delta;
      tell(turn, "delta", delta);
    }
    if (answer.fails) return end(stored, { code: "operation_interrupted" });
    // "`done` carries that question as the reply text instead of what was streamed."
    const said = { id: turn.replyId, role: "agent", text: answer.question ?? turn.streamed } as const;
    const choices = answer.choices ?? [];
    const message = append(stored, { ...said, choices, ...effectsOf(stored, answer) });
    if (answer.closes) stored.chat = { ...stored.chat, mode: "resolved", resolvedAt: message.createdAt };
    end(stored, { item: JSON.stringify({ message: turn.message, reply: message, chat: stored.chat }) });
  }

  function effectsOf(stored: StoredChat, { form, offer }: Answer): Partial<Message> {
    if (form !== undefined) openForm(stored.details, newId("form"), form, null);
    const collection = form === undefined ? null : collectionOf(stored.details);
    if (offer === undefined) return { collection };
    stored.offer = { id: newId("offer"), ...offer };
    const handoffOffer = { confirmationId: stored.offer.id, ...availability(offer) };
    return { collection, handoffOffer };
  }

  function end(stored: StoredChat, result: Result): void {
    const { turn } = stored;
    stored.turn = null;
    if (turn?.operation !== undefined) turn.operation.result = result;
    if (turn !== null) tell(turn, "end");
  }

  function tell({ watchers }: Turn, ...event: ["comment" | "end" | "cut"] | ["delta", string]): void {
    for (const watch of [...watchers]) watch(event[0], event[1] ?? "");
  }

  async function awaitTurn({ request }: Call, operation: Operation, status: number): Promise<Response> {
    const { turn } = operation;
    if (turn !== undefined && operation.result === undefined)
      await new Promise<void>((resolve, reject) => {
        const watch: Watcher = (event) => {
          if (event === "end") resolve();
          if (event === "cut") reject(new TypeError("fetch failed"));
        };
        turn.watchers.add(watch);
        request.signal.addEventListener("abort", () => turn.watchers.delete(watch));
      });
    const { result } = operation;
    if (result === undefined || "code" in result) return refuse(result?.code ?? "internal_error");
    return jsonText(status, result.item);
  }

  /** "one `start`, then zero or more `delta`, then exactly one of `done` or `error`" */
  function streamTurn({ chatId, requestId }: Call, operation: Operation, status: number): Response {
    const { turn, result: before } = operation;
    const settled: MessageTurn | undefined = before && "item" in before ? JSON.parse(before.item) : undefined;
    let watch: Watcher | undefined;
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const send = (event: string, data: object | string) => {
        const line = typeof data === "string" ? data : JSON.stringify(data);
        controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${line}\n\n`));
      };
      const finish = () => {
        const { result } = operation;
        if (result !== undefined && "item" in result) send("done", `{"item":${result.item}}`);
        else send("error", errorOf(new Refusal(result?.code ?? "chat_not_found"), requestId));
        controller.close();
      };
      const replyId = settled === undefined ? turn?.replyId : (settled.reply?.id ?? null);
      send("start", { chatId, requestId, messageId: (settled ?? turn)?.message?.id, replyId });
      // "The concatenated deltas equal the reply text in `done`", in a replay as well.
      const soFar = settled === undefined ? turn?.streamed : settled.reply?.text;
      if (soFar) send("delta", { text: soFar });
      if (settled !== undefined || turn === undefined) return finish();
      watch = (event, delta) => {
        if (event === "delta") send("delta", { text: delta });
        else if (event === "comment") controller.enqueue(new TextEncoder().encode(": keep-alive\n\n"));
        else if (event === "cut") controller.error(new TypeError("terminated"));
        else finish();
      };
      turn.watchers.add(watch);
    };
    // The turn runs on without its readers.
    const cancel = () => void (watch && turn?.watchers.delete(watch));
    const headers = { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" };
    return new Response(new ReadableStream<Uint8Array>({ start, cancel }), { status, headers });
  }

  // 4. List messages

  async function listMessages(call: Call): Promise<Response> {
    const [limit = String(limits.pageDefault), another] = call.url.searchParams.getAll("limit");
    if (another !== undefined || !/^([1-9]|[1-4]\d|50)$/.test(limit)) refuse("invalid_request", "/limit");
    const { messages } = chatOf(call);
    const given = call.url.searchParams.get("cursor");
    const cursor = cursors.get(given ?? "");
    if (given !== null && cursor?.chatId !== call.chatId) refuse("invalid_cursor", "/cursor");
    if (cursor?.isExpired) refuse("cursor_expired", "/cursor");
    const length = Math.min(Number(limit), paging.pageSize?.() ?? limits.pageMax);
    const start = cursor?.from ?? (paging.fromNewest ? messages.length : 0);
    const from = paging.fromNewest ? start : Math.min(messages.length, start + length);
    const next = paging.fromNewest ? Math.max(0, start - length) : from;
    const items = paging.fromNewest ? messages.slice(next, start) : messages.slice(start, next);
    // "`nextCursor` is null on the last page."
    const isLast = next === (paging.fromNewest ? 0 : messages.length);
    const nextCursor = isLast ? null : `page_${call.chatId}_${next}`;
    if (nextCursor !== null) cursors.set(nextCursor, { chatId: call.chatId, from: next, isExpired: false });
    return json(200, { items, nextCursor });
  }

  // 5. Upload a file, 6. Download a file

  const isGone = ({ expiresAt }: File) => expiresAt !== null && Date.parse(expiresAt) <= now();

  function usableFile({ files }: StoredChat, id: string, field?: string) {
    const found = files.get(id);
    if (found === undefined || isGone(found.file)) return refuse("file_not_found", field);
    return found.isReady ? found : refuse("file_not_ready", field);
  }

  async function uploadFile(call: Call): Promise<Response> {
    const key = keyOf(call.request);
    const { filename, mediaType, bytes } = await readUpload(call.request);
    const { chat, files } = chatOf(call);
    const content = { filename, mediaType, hash: createHash("sha256").update(bytes).digest("hex") };
    const { item, status } = once(call, key, content, () => {
      if (chat.mode === "resolved") refuse("chat_closed");
      const kept = [...files.values()].filter(({ file }) => !isGone(file));
      const total = kept.reduce((sum, { file }) => sum + file.byteSize, bytes.length);
      if (kept.length >= limits.filesPerChat) refuse("file_limit_reached");
      if (total > limits.storageBytes) refuse("file_storage_limit");
      const times = { createdAt: timestamp(), expiresAt: timestamp(now() + day) };
      const own = { id: newId("file"), chatId: call.chatId, filename, mediaType, byteSize: bytes.length };
      files.set(own.id, { file: { ...own, ...times }, bytes, isReady: true });
      return { ...own, ...times };
    });
    const stored = files.get(JSON.parse(item).id);
    // "Upload it again with the same `Idempotency-Key`."
    if (stored !== undefined && (isGone(stored.file) || !stored.isReady))
      Object.assign(stored, { isReady: true, file: { ...stored.file, expiresAt: timestamp(now() + day) } });
    return json(status, { item: stored?.file });
  }

  async function downloadFile(call: Call): Promise<Response> {
    const { file, bytes } = usableFile(chatOf(call), call.fileId);
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`;
    return new Response(bytes, {
      headers: { "Content-Type": file.mediaType, "Content-Disposition": disposition },
    });
  }

  // 7. Get the collection, 8. Submit the collection

  async function submitCollection(call: Call): Promise<Response> {
    const { key, body } = await readBody(call.request, SubmitCollection, { limit: limits.collectionBytes });
    const stored = chatOf(call);
    const { item } = once(call, key, body, () => {
      requireReady(stored);
      const isClosed = submit(stored.details, body, timestamp());
      const isForAgent = stored.details.pendingAction === null && stored.chat.mode === "agent";
      if (isClosed && isForAgent) begin(stored, reply(body.action));
      return collectionOf(stored.details);
    });
    return jsonText(200, item);
  }

  // 9. Pass the chat to the team

  function availability(offer?: Answer["offer"]) {
    const nextAvailableAt = switches.teamBackAt;
    const requiresEmail = offer?.requiresEmail === true || nextAvailableAt !== null;
    return { requiresEmail, nextAvailableAt, timezone: nextAvailableAt === null ? null : "Europe/London" };
  }

  async function handoff(call: Call): Promise<Response> {
    const { key, body } = await readBody(call.request, Handoff);
    const stored = chatOf(call);
    const { item, status } = once(call, key, body, () => {
      requireReady(stored);
      const { offer, details, chat } = stored;
      if (chat.mode !== "agent" || offer === null || offer.id !== body.confirmationId)
        return refuse("confirmation_required", "/confirmationId");
      const address = body.email ?? details.values.get("email")?.value ?? null;
      if (availability(offer).requiresEmail && address === null) return refuse("invalid_request", "/email");
      const required = offer.details?.fields.filter((entry) => entry.required) ?? [];
      if (required.some(({ field }) => details.values.get(field.id)?.status !== "accepted")) {
        // "the request fails with `collection_incomplete` and a form is opened in the chat"
        if (offer.details && (details.pendingAction === null || details.request === null))
          openForm(details, newId("form"), offer.details, "handoff");
        record(call, key, body, { chatId: chat.id, result: { code: "collection_incomplete" } });
        return refuse("collection_incomplete");
      }
      if (details.pendingAction !== null) closeForm(stored.details);
      append(stored, { role: "system", text: "The team has been asked." });
      const asked = { status: "waiting", requestedAt: timestamp(), ...availability(offer) } as const;
      Object.assign(stored, { chat: { ...stored.chat, mode: "waiting", handoff: asked } });
      notices.push({ chatId: chat.id, confirmationId: offer.id, email: address });
      return stored.chat;
    });
    return jsonText(status, item);
  }

  const handlers: Record<OperationName, (call: Call) => Promise<Response>> = {
    createChat,
    getChat: async (call) => json(200, { item: chatOf(call).chat }),
    sendMessage,
    listMessages,
    uploadFile,
    downloadFile,
    getCollection: async (call) => json(200, { item: collectionOf(chatOf(call).details) }),
    submitCollection,
    handoff,
  };

  // The team. "Transitions of `mode` other than those in the table …: not shown."

  /** Changes who answers: a running turn is superseded, and the agent's offer is void. */
  function act(
    chatId: string,
    notice: string,
    change: Partial<Chat>,
    status: "claimed" | "resolved" | "failed",
  ) {
    const stored = chats.get(chatId);
    if (stored === undefined || stored.chat.mode === "resolved") return;
    if (stored.turn !== null) end(stored, { code: "operation_superseded" });
    stored.offer = null;
    if (stored.details.pendingAction !== null || change.mode === "resolved") closeForm(stored.details);
    append(stored, { role: "system", text: notice });
    const asked = status === "claimed" ? { requestedAt: timestamp(), ...availability() } : null;
    const handoff = stored.chat.handoff ?? asked;
    stored.chat = { ...stored.chat, ...change, handoff: handoff && { ...handoff, status } };
  }

  const team = {
    claim: (chatId: string, name: string) =>
      act(chatId, `${name} joined.`, { mode: "teammate", teammate: { name } }, "claimed"),
    write(chatId: string, said: string): void {
      const stored = chats.get(chatId);
      const author = stored?.chat.teammate;
      if (stored && author) append(stored, { role: "teammate", text: said, author });
    },
    release: (chatId: string) =>
      act(chatId, "The agent answers.", { mode: "agent", teammate: null }, "resolved"),
    fail: (chatId: string) => act(chatId, "The team was not reached.", { mode: "agent" }, "failed"),
    resolve: (chatId: string) =>
      act(chatId, "Closed.", { mode: "resolved", teammate: null, resolvedAt: timestamp() }, "resolved"),
    /** "deleted chats are gone" */
    erase(chatId: string): void {
      const stored = chats.get(chatId);
      chats.delete(chatId);
      if (stored?.turn) end(stored, { code: "chat_not_found" });
    },
    /** "older messages are no longer kept" */
    forget(chatId: string, count: number): void {
      const stored = chats.get(chatId);
      if (stored === undefined) return;
      stored.messages.splice(0, count);
      stored.chat = { ...stored.chat, historyComplete: false };
      expireCursors();
    },
  };

  function expireCursors(): void {
    for (const cursor of cursors.values()) cursor.isExpired = true;
  }

  /** Ends the process and starts it again: connections break, and turns begin anew from what is stored. */
  function crash(): void {
    for (const cut of connections) cut();
    for (const stored of chats.values()) {
      const { turn } = stored;
      if (turn === null) continue;
      tell(turn, "cut");
      turn.watchers.clear();
      if (turn.attempt < 3) void run(stored, turn);
      else end(stored, { code: "operation_interrupted" });
    }
  }

  return { fetch, chats, switches, team, notices, conflicts, expireCursors, crash };
}
