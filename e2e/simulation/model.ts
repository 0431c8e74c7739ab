/**
 * A model of the Chat API, in memory, to be read beside docs/chat-api.md. It was written from the
 * specification alone, and it is the oracle of the simulation: what it stores is what was stored.
 *
 * Sentences in quotation marks are the specification's. The order of the checks, which it leaves open, is
 * that of `e2e/contract/order-of-checks.spec.ts`.
 */
import { createHash } from "node:crypto";
import type { Chat, Collection, File, Message, MessageTurn } from "../contract/support/shapes.ts";
import { type Answer, answerTo, type Form } from "./agent.ts";

const statuses: Record<number, string> = {
  400: "invalid_json invalid_request invalid_id invalid_cursor invalid_submission unsupported_resume",
  401: "invalid_api_key",
  403: "origin_not_allowed channel_disabled workspace_suspended",
  404: "not_found chat_not_found file_not_found",
  405: "method_not_allowed",
  406: "unsupported_accept",
  409:
    "idempotency_conflict idempotency_key_expired turn_in_progress operation_interrupted " +
    "operation_superseded operation_capacity_reached chat_closed version_conflict file_not_ready " +
    "file_limit_reached file_storage_limit confirmation_required collection_incomplete",
  410: "cursor_expired idempotency_resource_gone",
  413: "payload_too_large",
  415: "unsupported_media_type unsupported_file",
  429: "rate_limited capacity_limited chat_limit_reached",
  500: "internal_error",
  503: "service_unavailable",
};
const statusOf = new Map(
  Object.entries(statuses).flatMap(([status, codes]) =>
    codes.split(" ").map((code) => [code, Number(status)] as const),
  ),
);

const routes: Record<string, Record<string, OperationName>> = {
  chats: { POST: "createChat" },
  "chats/*": { GET: "getChat" },
  "chats/*/messages": { GET: "listMessages", POST: "sendMessage" },
  "chats/*/files": { POST: "uploadFile" },
  "chats/*/files/*": { GET: "downloadFile" },
  "chats/*/collection": { GET: "getCollection", POST: "submitCollection" },
  "chats/*/handoff": { POST: "handoff" },
};
export type OperationName =
  | "createChat"
  | "getChat"
  | "listMessages"
  | "sendMessage"
  | "uploadFile"
  | "downloadFile"
  | "getCollection"
  | "submitCollection"
  | "handoff";

const day = 24 * 60 * 60_000;
const fileTypes = [..."jpeg png gif webp".split(" ").map((type) => `image/${type}`), "application/pdf"];
const idPattern = /^[A-Za-z0-9_-]{8,128}$/;
const fieldIdPattern = /^[A-Za-z0-9_-]{1,128}$/;
const keyPattern = /^[A-Za-z0-9._:-]{8,128}$/;
const localePattern = /^(?=.{1,64}$)[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

class Refusal extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: string, { field, retryAfter }: { field?: string; retryAfter?: number } = {}) {
    super(code);
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter ?? (/limit(ed|_reached)$|unavailable/.test(code) ? 2 : undefined);
  }
}

function refuse(code: string, field?: string): never {
  throw new Refusal(code, field === undefined ? {} : { field });
}

interface Call {
  operation: OperationName;
  request: Request;
  url: URL;
  requestId: string;
  chatId: string;
  fileId: string;
  key: string;
}

/** What a key did. `result` is missing while its turn runs. */
interface Operation {
  request: string;
  chatId: string;
  createdAt: number;
  turn?: Turn;
  result?: { item: string } | { code: string };
}

/** A message, or a closed form, that the agent answers. */
interface Turn {
  /** Missing for the answer to a form. */
  operation: Operation | undefined;
  message: Message | undefined;
  replyId: string;
  answer: Answer;
  streamed: string;
  attempt: number;
  watchers: Set<Watcher>;
}

type TurnEvent = { name: "delta" | "comment"; text: string } | { name: "end" } | { name: "cut" };
type Watcher = (event: TurnEvent) => void;

interface Details {
  version: number;
  fields: Map<string, Collection["fields"][number]>;
  values: Map<string, Collection["values"][number]>;
  request: (Form & { id: string }) | null;
  pendingAction: string | null;
  error: string | null;
}

export interface StoredChat {
  chat: Chat;
  messages: Message[];
  files: Map<string, { file: File; bytes: Uint8Array<ArrayBuffer>; isReady: boolean }>;
  details: Details;
  offer: ({ id: string } & NonNullable<Answer["offer"]>) | null;
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
  /** The longest page: a page may be shorter than its `limit`. */
  pageSize?: number;
  /** The specification does not say from which end the pages run. */
  fromNewest?: boolean;
}

export type Model = ReturnType<typeof createModel>;

export function createModel({ channelKey, chatKey, now, sleep, pace = 5, ...paging }: ModelOptions) {
  const chats = new Map<string, StoredChat>();
  const operations = new Map<string, Operation>();
  /** Each cursor returned, with the index of its page's first message. */
  const cursors = new Map<string, { chatId: string; from: number; expired: boolean }>();
  /** What the team was told, one entry for each accepted handoff. */
  const notices: { chatId: string; userId: string; email: string | null }[] = [];
  const connections = new Set<() => void>();
  const window = { start: 0, requests: 0 };
  let counter = 0;

  const switches = {
    published: true,
    suspended: false,
    /** The plan has no chats left. */
    planEnded: false,
    atCapacity: false,
    operationsPerChat: Number.POSITIVE_INFINITY,
    requestsPerMinute: Number.POSITIVE_INFINITY,
    /** When the team is next available; null while it is. */
    teamBackAt: null as string | null,
    /** What every operation that can return the code answers. */
    refusal: null as "internal_error" | "service_unavailable" | null,
  };

  const newId = (kind: string) => {
    counter += 1;
    return `${kind}_${String(counter).padStart(8, "0")}`;
  };
  const timestamp = (time = now()) => new Date(time).toISOString();

  // Requests: "Every request goes to {base_url}/v1/channels/{channelKey}."

  async function fetch(request: Request): Promise<Response> {
    const requestId = newId("request");
    let cut: (() => void) | undefined;
    const crashed = new Promise<never>((_, reject) => {
      cut = () => reject(new TypeError("fetch failed"));
      connections.add(cut);
    });
    try {
      return await Promise.race([answer(request, requestId), crashed]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return errorResponse(error, requestId);
    } finally {
      if (cut !== undefined) connections.delete(cut);
    }
  }

  async function answer(request: Request, requestId: string): Promise<Response> {
    const url = new URL(request.url);
    const [, version, resource, address = "", ...rest] = url.pathname.split("/");
    const shape = rest.map((part, index) => (index % 2 === 1 ? "*" : part)).join("/");
    const methods = version === "v1" && resource === "channels" ? routes[shape] : undefined;
    if (methods === undefined) refuse("not_found");
    const operation = methods[request.method];
    if (operation === undefined) {
      const response = errorResponse(new Refusal("method_not_allowed"), requestId);
      response.headers.set("Allow", Object.keys(methods).join(", "));
      return response;
    }
    const { headers } = request;
    if (headers.has("origin")) refuse("origin_not_allowed");
    if (headers.get("authorization") !== `Bearer ${chatKey}`) refuse("invalid_api_key");
    const isAddress = /^dep_[a-z0-9_-]{6,80}$/.test(address);
    if (isAddress && address !== channelKey) refuse("invalid_api_key");
    if (!switches.published) refuse("channel_disabled");
    if (switches.suspended) refuse("workspace_suspended");
    const [chatId = "", fileId = ""] = rest.filter((_, index) => index % 2 === 1).map(decoded);
    if (
      !isAddress ||
      [chatId, fileId].some((id, index) => index * 2 + 1 < rest.length && !idPattern.test(id))
    )
      refuse("invalid_id");
    const rate = countRequest();
    refuseBySwitch(operation);
    const call = { operation, request, url, requestId, chatId, fileId, key: "" };
    const response = await perform(call);
    response.headers.set("X-Request-Id", requestId);
    for (const [name, value] of Object.entries(rate)) response.headers.set(`RateLimit-${name}`, value);
    return response;
  }

  function countRequest(): Record<string, string> {
    const { requestsPerMinute } = switches;
    if (now() >= window.start + 60_000) Object.assign(window, { start: now(), requests: 0 });
    window.requests += 1;
    const reset = Math.ceil((window.start + 60_000 - now()) / 1000);
    if (window.requests > requestsPerMinute) throw new Refusal("rate_limited", { retryAfter: reset });
    const limit = Math.min(requestsPerMinute, 1_000_000);
    return {
      Limit: String(limit),
      Remaining: String(Math.max(0, limit - window.requests)),
      Reset: String(reset),
    };
  }

  function refuseBySwitch(operation: OperationName): void {
    if (switches.refusal === "internal_error") refuse("internal_error");
    const canBeUnavailable = ["sendMessage", "submitCollection", "handoff"].includes(operation);
    if (switches.refusal === "service_unavailable" && canBeUnavailable) refuse("service_unavailable");
  }

  async function perform(call: Call): Promise<Response> {
    switch (call.operation) {
      case "createChat":
        return createChat(call, await readJson(call));
      case "getChat":
        return json(200, { item: chatOf(call).chat });
      case "sendMessage": {
        const { bytes, isStreamed } = await readMessage(call);
        return sendMessage(call, parseJson(call, bytes), isStreamed);
      }
      case "listMessages":
        return listMessages(call);
      case "uploadFile":
        return uploadFile(call);
      case "downloadFile":
        return downloadFile(call);
      case "getCollection":
        return json(200, { item: collectionOf(chatOf(call)) });
      case "submitCollection":
        return submitCollection(call, await readJson(call, 2 * 1024 * 1024));
      case "handoff":
        return handoff(call, await readJson(call));
      default:
        return call.operation satisfies never;
    }
  }

  // Bodies: "Request bodies must be valid JSON objects with `Content-Type: application/json`."

  type Body = Record<string, unknown>;

  async function readBytes({ request }: Call, limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const declared = Number(request.headers.get("content-length"));
    if (declared > limit) refuse("payload_too_large");
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > limit) refuse("payload_too_large");
    return bytes;
  }

  function readJsonBytes(call: Call, limit = 32 * 1024): Promise<Uint8Array<ArrayBuffer>> {
    const { headers } = call.request;
    const type = (headers.get("content-type") ?? "").toLowerCase().replaceAll(/[\s"]/g, "");
    if (!/^application\/json(;charset=utf-8)?$/.test(type) || headers.has("content-encoding"))
      refuse("unsupported_media_type");
    return readBytes(call, limit);
  }

  async function readJson(call: Call, limit?: number): Promise<Body> {
    return parseJson(call, await readJsonBytes(call, limit));
  }

  async function readMessage(call: Call) {
    const bytes = await readJsonBytes(call);
    const isStreamed = wantsStream(call.request.headers.get("accept"));
    if (call.request.headers.has("last-event-id")) refuse("unsupported_resume");
    return { bytes, isStreamed };
  }

  function parseJson(call: Call, bytes: Uint8Array): Body {
    call.key = readKey(call);
    try {
      const value: unknown = JSON.parse(
        new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      );
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Body;
    } catch {
      // Refused below.
    }
    return refuse("invalid_json");
  }

  function readKey({ request }: Call): string {
    const key = request.headers.get("idempotency-key") ?? "";
    if (!keyPattern.test(key)) refuse("invalid_request", "/Idempotency-Key");
    return key;
  }

  /** Refuses a property that does not pass its check; `exactly` also refuses other properties. */
  function check(body: Body, checks: Record<string, (value: unknown) => boolean>, exactly: boolean): void {
    for (const [name, isValid] of Object.entries(checks))
      if (!isValid(body[name])) refuse("invalid_request", `/${name}`);
    for (const name of Object.keys(body))
      if (exactly && !Object.hasOwn(checks, name)) refuse("invalid_request", `/${name}`);
  }

  // Idempotency: "Repeating a request with the same key and the same content returns the first result."

  function fingerprint({ operation, chatId }: Call, content: unknown): string {
    const text = JSON.stringify(content, (_, value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
    return `${operation} ${chatId} ${text}`;
  }

  /** What the key has done; undefined for a new key. */
  function known(call: Call, content: unknown): Operation | undefined {
    const operation = operations.get(call.key);
    if (operation === undefined) return undefined;
    if (operation.request !== fingerprint(call, content)) refuse("idempotency_conflict");
    if (operation.result !== undefined && "code" in operation.result) refuse(operation.result.code);
    return operation;
  }

  function record(call: Call, content: unknown, chatId: string, result?: Operation["result"]): Operation {
    const operation: Operation = { request: fingerprint(call, content), chatId, createdAt: now() };
    if (result !== undefined) operation.result = result;
    operations.set(call.key, operation);
    const stored = chats.get(chatId);
    if (stored !== undefined) stored.operations += 1;
    return operation;
  }

  /** Performs a write that ends at once, or returns what its key did. */
  function once(call: Call, content: unknown, run: () => unknown): { item: string; isReplay: boolean } {
    const before = known(call, content);
    if (before?.result !== undefined && "item" in before.result)
      return { item: before.result.item, isReplay: true };
    const item = JSON.stringify(run());
    record(call, content, call.chatId, { item });
    return { item, isReplay: false };
  }

  const created = ({ item, isReplay }: { item: string; isReplay: boolean }) =>
    jsonText(isReplay ? 200 : 201, `{"item":${item}}`);

  // 1. Create a chat

  function createChat(call: Call, body: Body): Response {
    const isUserId = (value: unknown) => typeof value === "string" && keyPattern.test(value);
    check(body, { userId: optional(isUserId), locale: optional(isLocale) }, true);
    const content = { locale: "en", ...body };
    const before = operations.get(call.key);
    // "A key that created a chat is kept 30 days."
    if (before?.request.startsWith("createChat") && now() >= before.createdAt + 30 * day)
      refuse(chats.has(before.chatId) ? "idempotency_key_expired" : "idempotency_resource_gone");
    const creation = known(call, content);
    if (creation !== undefined) {
      // "200 on replay with the same key, returning the chat as it is now"
      const stored = chats.get(creation.chatId) ?? refuse("idempotency_resource_gone");
      return json(200, { item: stored.chat });
    }
    requirePlan();
    if (switches.atCapacity) refuse("capacity_limited");
    const chat: Chat = {
      id: newId("chat"),
      channelKey,
      userId: (body["userId"] as string | undefined) ?? newId("guest"),
      mode: "agent",
      teammate: null,
      createdAt: timestamp(),
      updatedAt: timestamp(),
      resolvedAt: null,
      historyComplete: true,
      handoff: null,
    };
    const details = { version: 1, fields: new Map(), values: new Map(), ...noRequest };
    chats.set(chat.id, {
      chat,
      messages: [],
      files: new Map(),
      details,
      offer: null,
      turn: null,
      operations: 0,
    });
    record(call, content, chat.id);
    return json(201, { item: chat });
  }

  function chatOf({ chatId }: Pick<Call, "chatId">): StoredChat {
    return chats.get(chatId) ?? refuse("chat_not_found");
  }

  function requirePlan(): void {
    if (switches.planEnded) refuse("chat_limit_reached");
  }

  function requireReady({ chat, turn, operations: count }: StoredChat): void {
    if (count >= switches.operationsPerChat) refuse("operation_capacity_reached");
    if (chat.mode === "resolved") refuse("chat_closed");
    if (turn !== null) refuse("turn_in_progress");
    requirePlan();
  }

  // 3. Send a message

  function sendMessage(call: Call, body: Body, isStreamed: boolean): Promise<Response> | Response {
    const isFiles = (value: unknown) =>
      isStrings(value, 4, idPattern) && value.length > 0 && new Set(value).size === value.length;
    check(body, { text: optional((value) => isText(value, 4000)), fileIds: optional(isFiles) }, true);
    const { text = "", fileIds = [] } = body as { text?: string; fileIds?: string[] };
    if (fileIds.length === 0 && !/\S/u.test(text)) refuse("invalid_request", "/text");
    const stored = chatOf(call);
    const before = known(call, body);
    if (before !== undefined) return respondToMessage(call, before, isStreamed, 200);
    requireReady(stored);
    const files = fileIds.map((id, index) => {
      const found = stored.files.get(id);
      if (found === undefined || isExpired(found.file)) return refuse("file_not_found", `/fileIds/${index}`);
      if (!found.isReady) return refuse("file_not_ready", `/fileIds/${index}`);
      found.file = { ...found.file, expiresAt: null };
      return found.file;
    });
    const message = append(stored, { role: "visitor", text, files });
    const operation = record(call, body, stored.chat.id);
    if (stored.chat.mode === "agent") begin(stored, answerTo(text), { operation, message });
    // "While the chat is with the team, `item.reply` is null."
    else operation.result = { item: JSON.stringify({ message, reply: null, chat: stored.chat }) };
    return respondToMessage(call, operation, isStreamed, 201);
  }

  function begin(stored: StoredChat, reply: Answer, asked?: Pick<Turn, "operation" | "message">): void {
    const turn: Turn = {
      operation: asked?.operation,
      message: asked?.message,
      replyId: newId("message"),
      answer: reply,
      streamed: "",
      attempt: 0,
      watchers: new Set(),
    };
    if (asked?.operation !== undefined) asked.operation.turn = turn;
    stored.turn = turn;
    void run(stored, turn);
  }

  /** One attempt at a turn. It writes nothing once the chat or a later attempt has taken the turn away. */
  async function run(stored: StoredChat, turn: Turn): Promise<void> {
    turn.attempt += 1;
    const { attempt, answer: reply } = turn;
    turn.streamed = "";
    for (const text of reply.deltas) {
      for (let rest = pace * (reply.slowness ?? 1); rest > 0; rest -= 15_000) {
        await sleep(Math.min(rest, 15_000));
        if (stored.turn !== turn || turn.attempt !== attempt) return;
        // "A comment line is sent every 15 seconds to keep the connection open."
        if (rest > 15_000) for (const watch of turn.watchers) watch({ name: "comment", text: "" });
      }
      turn.streamed += text;
      for (const watch of turn.watchers) watch({ name: "delta", text });
    }
    if (reply.fails) return end(stored, { code: "operation_interrupted" });
    const parts = { ...effectsOf(stored, reply), choices: reply.choices ?? [] };
    const message = append(stored, {
      id: turn.replyId,
      role: "agent",
      // "`done` carries that question as the reply text instead of what was streamed."
      text: reply.question ?? turn.streamed,
      ...parts,
    });
    const item: MessageTurn | undefined = turn.message && {
      message: turn.message,
      reply: message,
      chat: stored.chat,
    };
    end(stored, { item: JSON.stringify(item) });
  }

  function effectsOf(stored: StoredChat, { form, offer }: Answer): Partial<Message> {
    if (form !== undefined) openForm(stored, form, null);
    const collection = form === undefined ? null : collectionOf(stored);
    if (offer === undefined) return { collection };
    stored.offer = { id: newId("offer"), ...offer };
    const requiresEmail = offer.requiresEmail === true || switches.teamBackAt !== null;
    return {
      collection,
      handoffOffer: { confirmationId: stored.offer.id, requiresEmail, ...availability() },
    };
  }

  function end(stored: StoredChat, result: NonNullable<Operation["result"]>): void {
    const { turn } = stored;
    stored.turn = null;
    if (turn?.operation !== undefined) turn.operation.result = result;
    for (const watch of turn?.watchers ?? []) watch({ name: "end" });
  }

  function respondToMessage(
    call: Call,
    operation: Operation,
    isStreamed: boolean,
    status: number,
  ): Promise<Response> | Response {
    if (isStreamed) return streamResponse(call, operation, status);
    const finished = () => {
      const { result } = operation;
      if (result === undefined || "code" in result) return refuse(result?.code ?? "internal_error");
      return jsonText(status, `{"item":${result.item}}`);
    };
    const { turn, result } = operation;
    if (turn === undefined || result !== undefined) return finished();
    return new Promise<void>((resolve, reject) => {
      const watch: Watcher = ({ name }) => {
        if (name === "end") resolve();
        if (name === "cut") reject(new TypeError("fetch failed"));
      };
      turn.watchers.add(watch);
      call.request.signal.addEventListener("abort", () => turn.watchers.delete(watch));
    }).then(finished);
  }

  /** "one `start`, then zero or more `delta`, then exactly one of `done` or `error`" */
  function streamResponse(call: Call, operation: Operation, status: number): Response {
    const { turn, result } = operation;
    const encoder = new TextEncoder();
    let watch: Watcher | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = (name: string, data: string) =>
          controller.enqueue(encoder.encode(`event: ${name}\ndata: ${data}\n\n`));
        const finish = ({ result: final }: Operation) => {
          if (final !== undefined && "item" in final) send("done", `{"item":${final.item}}`);
          else send("error", errorText(new Refusal(final?.code ?? "chat_not_found"), call.requestId));
          controller.close();
        };
        const settled: MessageTurn | undefined =
          result && "item" in result ? JSON.parse(result.item) : undefined;
        send(
          "start",
          JSON.stringify({
            chatId: call.chatId,
            requestId: call.requestId,
            messageId: (settled ?? turn)?.message?.id,
            replyId: settled === undefined ? turn?.replyId : (settled.reply?.id ?? null),
          }),
        );
        // "The concatenated deltas equal the reply text in `done`", in a replay as well.
        const text = settled === undefined ? turn?.streamed : settled.reply?.text;
        if (text) send("delta", JSON.stringify({ text }));
        if (turn === undefined || settled !== undefined) return finish(operation);
        watch = (event) => {
          if (event.name === "delta") send("delta", JSON.stringify({ text: event.text }));
          else if (event.name === "comment") controller.enqueue(encoder.encode(": keep-alive\n\n"));
          else if (event.name === "cut") controller.error(new TypeError("terminated"));
          else finish(operation);
        };
        turn.watchers.add(watch);
      },
      // The turn runs on: "When a stream ends without `done` or `error`, the outcome is unknown."
      cancel() {
        if (watch !== undefined) turn?.watchers.delete(watch);
      },
    });
    const headers = { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" };
    return new Response(body, { status, headers });
  }

  function append(stored: StoredChat, message: Partial<Message> & Pick<Message, "role" | "text">): Message {
    const { chat, messages } = stored;
    const time = Math.max(now(), Date.parse(chat.updatedAt) + 1);
    const appended: Message = {
      id: newId("message"),
      chatId: chat.id,
      createdAt: timestamp(time),
      author: null,
      files: [],
      citations: [],
      products: [],
      orders: [],
      choices: [],
      collection: null,
      handoffOffer: null,
      ...message,
    };
    messages.push(appended);
    stored.chat = { ...chat, updatedAt: timestamp(time) };
    return appended;
  }

  // 4. List messages

  function listMessages(call: Call): Response {
    const limits = call.url.searchParams.getAll("limit");
    const limit = limits[0] ?? "20";
    if (limits.length > 1 || !/^([1-9]|[1-4]\d|50)$/.test(limit)) refuse("invalid_request", "/limit");
    const { messages } = chatOf(call);
    const given = call.url.searchParams.get("cursor");
    const cursor = given === null ? undefined : cursors.get(given);
    if (given !== null && cursor?.chatId !== call.chatId) refuse("invalid_cursor", "/cursor");
    if (cursor?.expired) refuse("cursor_expired", "/cursor");
    const length = Math.min(Number(limit), paging.pageSize ?? 50);
    const [from, to] = paging.fromNewest
      ? [Math.max(0, (cursor?.from ?? messages.length) - length), cursor?.from ?? messages.length]
      : [cursor?.from ?? 0, Math.min(messages.length, (cursor?.from ?? 0) + length)];
    const next = paging.fromNewest ? from : to;
    const isLast = next === (paging.fromNewest ? 0 : messages.length);
    const nextCursor = isLast ? null : `page_${call.chatId}_${next}`;
    if (nextCursor !== null) cursors.set(nextCursor, { chatId: call.chatId, from: next, expired: false });
    return json(200, { items: messages.slice(from, to), nextCursor });
  }

  // 5. Upload a file, 6. Download a file

  const isExpired = ({ expiresAt }: File) => expiresAt !== null && Date.parse(expiresAt) <= now();

  async function uploadFile(call: Call): Promise<Response> {
    call.key = readKey(call);
    const type = call.request.headers.get("content-type") ?? "";
    const boundary = /^multipart\/form-data\s*;.*boundary="?([^";]+)"?/i.exec(type)?.[1];
    if (boundary === undefined) refuse("unsupported_media_type");
    // The parts' own headers come on top of the file.
    const bytes = await readBytes(call, 4 * 1024 * 1024 + 64 * 1024);
    const upload = readPart(bytes, boundary);
    if (upload.content.length > 4 * 1024 * 1024) refuse("payload_too_large");
    if (![...fileTypes, "text/plain"].includes(upload.mediaType)) refuse("unsupported_file");
    const { filename, mediaType, content } = upload;
    const stored = chatOf(call);
    const digest = createHash("sha256").update(content).digest("hex");
    const run = (): File => {
      if (stored.chat.mode === "resolved") refuse("chat_closed");
      const present = [...stored.files.values()].filter(({ file: { expiresAt }, file }) =>
        expiresAt === null ? true : !isExpired(file),
      );
      if (present.length >= 40) refuse("file_limit_reached");
      const total = present.reduce((sum, { file }) => sum + file.byteSize, content.length);
      if (total > 80 * 1024 * 1024) refuse("file_storage_limit");
      const file: File = {
        id: newId("file"),
        chatId: call.chatId,
        filename,
        mediaType,
        byteSize: content.length,
        createdAt: timestamp(),
        expiresAt: timestamp(now() + day),
      };
      stored.files.set(file.id, { file, bytes: content, isReady: true });
      return file;
    };
    const outcome = once(call, { filename, mediaType, digest }, run);
    const kept = stored.files.get(JSON.parse(outcome.item).id);
    // "Upload it again with the same `Idempotency-Key`."
    if (kept !== undefined && outcome.isReplay && (!kept.isReady || isExpired(kept.file)))
      Object.assign(kept, { isReady: true, file: { ...kept.file, expiresAt: timestamp(now() + day) } });
    return outcome.isReplay ? json(200, { item: kept?.file }) : created(outcome);
  }

  function readPart(bytes: Uint8Array, boundary: string) {
    const text = Buffer.from(bytes).toString("latin1");
    const parts = text.split(`--${boundary}`).slice(1, -1);
    const [part, other] = parts;
    if (part === undefined || other !== undefined) return refuse("invalid_request", "/file");
    const end = part.indexOf("\r\n\r\n");
    const head = Buffer.from(part.slice(0, end), "latin1").toString("utf8");
    const name = /[;\s]name="([^"]*)"/i.exec(head)?.[1];
    const filename = /filename="([^"]*)"/i.exec(head)?.[1];
    if (name !== "file" || filename === undefined) return refuse("invalid_request", "/file");
    const mediaType = /content-type:\s*([^\s;]+)/i.exec(head)?.[1]?.toLowerCase() ?? "";
    return { filename, mediaType, content: new Uint8Array(Buffer.from(part.slice(end + 4, -2), "latin1")) };
  }

  function downloadFile(call: Call): Response {
    const found = chatOf(call).files.get(call.fileId);
    if (found === undefined || isExpired(found.file)) return refuse("file_not_found");
    if (!found.isReady) return refuse("file_not_ready");
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(found.file.filename)}`;
    const headers = { "Content-Type": found.file.mediaType, "Content-Disposition": disposition };
    return new Response(found.bytes, { status: 200, headers });
  }

  // 7. Get the collection, 8. Submit the collection

  const noRequest = { request: null, pendingAction: null, error: null };

  function missingOf({ request, values }: Details): string[] {
    const required = request?.fields.filter((entry) => entry.required).map(({ field }) => field.id) ?? [];
    return required.filter((id) => values.get(id)?.status !== "accepted");
  }

  function collectionOf({ details }: StoredChat): Collection {
    const { version, fields, values, request, pendingAction, error } = details;
    const missing = missingOf(details);
    const asked = request && {
      id: request.id,
      collectionId: request.collectionId,
      purpose: request.purpose,
      fields: request.fields.map(({ field, required }) => ({ fieldId: field.id, required })),
      complete: missing.length === 0,
      canSkip: request.canSkip,
      canCancel: request.canCancel,
    };
    const referred = new Set([...values.keys(), ...(request?.fields ?? []).map(({ field }) => field.id)]);
    return {
      version,
      // "Every field the chat's answers refer to."
      fields: [...fields.values()].filter(({ id }) => referred.has(id)),
      values: [...values.values()],
      request: asked,
      missing,
      pendingAction,
      error,
    };
  }

  function openForm({ details }: StoredChat, form: Form, pendingAction: string | null): void {
    for (const { field } of form.fields) details.fields.set(field.id, field);
    const request = { id: newId("form"), ...form };
    Object.assign(details, { version: details.version + 1, request, pendingAction, error: null });
  }

  function closeForm({ details }: StoredChat): void {
    if (details.request !== null) details.version += 1;
    Object.assign(details, noRequest);
  }

  function submitCollection(call: Call, body: Body): Response {
    const isAnswers = (value: unknown) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length <= 20 &&
      Object.entries(value).every(([id, answer]) => fieldIdPattern.test(id) && isText(answer, 2000));
    check(
      body,
      {
        collectionRequestId: (value) => value === null || typeof value === "string",
        expectedVersion: (value) => Number.isInteger(value) && (value as number) >= 0,
        action: (value) => value === "save" || value === "skip" || value === "cancel",
        values: optional(isAnswers),
        fieldIds: optional((value) => isStrings(value, 20, fieldIdPattern)),
      },
      false,
    );
    const stored = chatOf(call);
    const { item } = once(call, { values: {}, fieldIds: [], ...body }, () => {
      requireReady(stored);
      submit(stored, body as unknown as Submission);
      return collectionOf(stored);
    });
    return jsonText(200, `{"item":${item}}`);
  }

  interface Submission {
    collectionRequestId: string | null;
    expectedVersion: number;
    action: "save" | "skip" | "cancel";
    values?: Record<string, string>;
    fieldIds?: string[];
  }

  function submit(stored: StoredChat, { action, values = {}, fieldIds = [], ...read }: Submission): void {
    const { details } = stored;
    // "A submission with a stale `expectedVersion` is refused with `version_conflict`."
    if (read.expectedVersion !== details.version) refuse("version_conflict", "/expectedVersion");
    const { request } = details;
    const reject = (field: string): never => {
      // "Why the last submission was not saved"
      details.error = `${field} is not right.`;
      return refuse("invalid_submission", field);
    };
    if (read.collectionRequestId !== (request?.id ?? null)) reject("/collectionRequestId");
    if (action === "skip" && !request?.canSkip) reject("/action");
    if (action === "cancel" && !request?.canCancel) reject("/action");
    const asked = request?.fields ?? [...details.values.keys()].flatMap((id) => fieldEntry(details, id));
    const entries = new Map(asked.map((entry) => [entry.field.id, entry]));
    const changed = new Map<string, string | null>();
    if (action === "save") {
      for (const [id, value] of Object.entries(values)) {
        const entry = entries.get(id) ?? reject(`/values/${id}`);
        const isEmpty = !/\S/u.test(value);
        if (isEmpty ? entry.required : !fits(entry.field, value)) reject(`/values/${id}`);
        changed.set(id, isEmpty ? null : entry.field.type === "email" ? value.trim() : value);
      }
      for (const [index, id] of fieldIds.entries()) {
        if (entries.get(id)?.required !== false || (changed.get(id) ?? null) !== null)
          reject(`/fieldIds/${index}`);
        changed.set(id, null);
      }
    }
    if (action === "skip")
      for (const id of entries.keys())
        if (details.values.get(id)?.status !== "accepted") changed.set(id, null);
    for (const [fieldId, value] of changed) {
      const status = value === null ? "declined" : "accepted";
      details.values.set(fieldId, { fieldId, value, status, actor: "visitor", updatedAt: timestamp() });
    }
    details.error = null;
    if (action === "cancel") closeForm(stored);
    else details.version += 1;
    if (request === null || (action === "save" && missingOf(details).length > 0)) return;
    details.request = null;
    if (details.pendingAction === null && stored.chat.mode === "agent") begin(stored, answerTo(action));
  }

  function fieldEntry({ fields }: Details, id: string): Form["fields"] {
    const field = fields.get(id);
    return field === undefined ? [] : [{ field, required: false }];
  }

  function fits({ type, choices }: Form["fields"][number]["field"], value: string): boolean {
    if (type === "email") return emailPattern.test(value.trim());
    return type === "text" || choices.some(({ id }) => id === value);
  }

  // 9. Pass the chat to the team

  function availability() {
    const { teamBackAt } = switches;
    return { nextAvailableAt: teamBackAt, timezone: teamBackAt === null ? null : "Europe/London" };
  }

  function handoff(call: Call, body: Body): Response {
    const isEmail = (value: unknown) => typeof value === "string" && emailPattern.test(value);
    const isId = (value: unknown) => typeof value === "string" && value !== "";
    check(body, { confirmationId: isId, email: optional(isEmail), locale: optional(isLocale) }, false);
    const stored = chatOf(call);
    const content = { locale: "en", ...body };
    return created(
      once(call, content, () => {
        requireReady(stored);
        const { offer, details, chat } = stored;
        if (chat.mode !== "agent" || offer === null || offer.id !== body["confirmationId"])
          return refuse("confirmation_required", "/confirmationId");
        const requiresEmail = offer.requiresEmail === true || switches.teamBackAt !== null;
        const email = (body["email"] as string | undefined) ?? details.values.get("email")?.value ?? null;
        if (requiresEmail && email === null) return refuse("invalid_request", "/email");
        const required = offer.details?.fields.filter((entry) => entry.required) ?? [];
        if (required.some(({ field }) => details.values.get(field.id)?.status !== "accepted")) {
          // "the request fails with `collection_incomplete` and a form is opened in the chat"
          if (offer.details && (details.pendingAction === null || details.request === null))
            openForm(stored, offer.details, "handoff");
          record(call, content, call.chatId, { code: "collection_incomplete" });
          return refuse("collection_incomplete");
        }
        if (details.pendingAction !== null) closeForm(stored);
        append(stored, { role: "system", text: "The team has been asked." });
        const requested = { requestedAt: timestamp(), requiresEmail, ...availability() };
        changeChat(stored, { mode: "waiting", handoff: { status: "waiting", ...requested } });
        notices.push({ chatId: chat.id, userId: chat.userId, email });
        return stored.chat;
      }),
    );
  }

  // The team. "Transitions of `mode` other than those in the table …: not shown."

  function changeChat(stored: StoredChat, change: Partial<Chat>): void {
    stored.chat = { ...stored.chat, ...change };
  }

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
    if (stored.details.pendingAction !== null || change.mode === "resolved") closeForm(stored);
    append(stored, { role: "system", text: notice });
    const asked = { requestedAt: timestamp(), requiresEmail: false, ...availability() };
    const { handoff: before } = stored.chat;
    changeChat(stored, { ...change, handoff: before === null ? before : { ...before, status } });
    if (status === "claimed") changeChat(stored, { handoff: { ...(before ?? asked), status } });
  }

  const team = {
    claim: (chatId: string, name: string) =>
      act(chatId, `${name} joined.`, { mode: "teammate", teammate: { name } }, "claimed"),
    write(chatId: string, text: string): void {
      const stored = chats.get(chatId);
      const author = stored?.chat.teammate;
      if (stored && author) append(stored, { role: "teammate", text, author });
    },
    release: (chatId: string) =>
      act(chatId, "The agent answers.", { mode: "agent", teammate: null }, "resolved"),
    fail: (chatId: string) => act(chatId, "The team was not reached.", { mode: "agent" }, "failed"),
    resolve: (chatId: string) =>
      act(chatId, "Closed.", { mode: "resolved", teammate: null, resolvedAt: timestamp() }, "resolved"),
    /** Deletes the chat: "deleted chats are gone". */
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
      changeChat(stored, { historyComplete: false });
      expireCursors();
    },
  };

  function expireCursors(): void {
    for (const cursor of cursors.values()) cursor.expired = true;
  }

  /** Ends the process and starts it again: connections break, and turns begin anew from what is stored. */
  function crash(): void {
    for (const cut of connections) cut();
    for (const stored of chats.values()) {
      const { turn } = stored;
      if (turn === null) continue;
      for (const watch of turn.watchers) watch({ name: "cut" });
      turn.watchers.clear();
      if (turn.attempt < 3) void run(stored, turn);
      else end(stored, { code: "operation_interrupted" });
    }
  }

  return { fetch, chats, switches, team, notices, expireCursors, crash };
}

// Responses

const json = (status: number, body: object) => jsonText(status, JSON.stringify(body));

function jsonText(status: number, body: string): Response {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  return new Response(body, { status, headers });
}

function errorText({ code, field, retryAfter }: Refusal, requestId: string): string {
  const message = code.replaceAll("_", " ");
  return JSON.stringify({ error: { code, message, requestId, field, retryAfterSeconds: retryAfter } });
}

function errorResponse(refusal: Refusal, requestId: string): Response {
  const response = jsonText(statusOf.get(refusal.code) ?? 500, errorText(refusal, requestId));
  response.headers.set("X-Request-Id", requestId);
  // "Every 429 and every 503 carries `Retry-After` (seconds)."
  if (refusal.retryAfter !== undefined) response.headers.set("Retry-After", String(refusal.retryAfter));
  return response;
}

function wantsStream(accept: string | null): boolean {
  const qualities = new Map(
    (accept?.trim() || "*/*").split(",").map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [type, Number(quality ?? 1)] as const;
    }),
  );
  const jsonTypes = ["application/json", "application/*", "*/*"];
  const jsonQuality = jsonTypes.map((type) => qualities.get(type)).find((quality) => quality !== undefined);
  const streamQuality = qualities.get("text/event-stream") ?? 0;
  if (!jsonQuality && streamQuality === 0) refuse("unsupported_accept");
  return streamQuality > 0 && streamQuality >= (jsonQuality ?? 0);
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
};

const optional = (isValid: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || isValid(value);

const isLocale = (value: unknown) => typeof value === "string" && localePattern.test(value);

/** At most `length` UTF-16 code units, and no text that would be stored as another. */
const isText = (value: unknown, length: number): value is string =>
  typeof value === "string" && value.length <= length && value.isWellFormed() && !value.includes("\0");

const isStrings = (value: unknown, count: number, pattern: RegExp): value is string[] =>
  Array.isArray(value) &&
  value.length <= count &&
  value.every((entry) => typeof entry === "string" && pattern.test(entry));
