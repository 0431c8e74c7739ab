/**
 * The nine operations, for tests. Checks every response against the general rules, its operation's errors and
 * its resource's shape, so that a test asserts only its own subject.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { operationContracts } from "#lib/chat-api/operation-contracts.ts";
import { rawRequest } from "../../../testing/local-server.ts";
import { noMoreChats, note } from "../../support/live-run.ts";
import { Skip } from "./expect.ts";
import type { History } from "./history.ts";
import {
  type Body,
  type Headers,
  type MultipartPart,
  multipart,
  type OpenResponse,
  open,
  send,
  type WholeResponse,
  whole,
} from "./http.ts";
import { Breach, type Rule } from "./rules.ts";
import {
  type Chat,
  type Collection,
  ErrorBody,
  type File,
  type Message,
  type MessagePage,
  type MessageTurn,
  read,
  responses,
} from "./shapes.ts";
import {
  type Code,
  codesOf,
  type Ids,
  methodOf,
  type OperationName,
  pathOf,
  statusesOf,
  statusOf,
} from "./specification.ts";
import type { Target } from "./target.ts";
import { TurnStream } from "./turn-stream.ts";

export interface Call extends Ids {
  /** The body as JSON, with its content type. */
  json?: unknown;
  /** The raw body; the test sets the content type. */
  body?: Body;
  headers?: Headers;
  /** Appended to the path, including the question mark. */
  query?: string;
  /** `Idempotency-Key` of a write; a new one when absent, none when null. */
  key?: string | null;
  /** The whole `Authorization` header; the right one when absent, none when null. */
  authorization?: string | readonly string[] | null;
  channelKey?: string;
}

/** The longest `Retry-After` of a live channel that a test waits for. */
const longestPatience = 90_000;

/** The operations and codes that the running test has seen. */
export const running = new AsyncLocalStorage<{ operations: Set<OperationName>; codes: Set<Code> }>();

/** Errors after which a message may be stored, although its request failed. */
const unknownOutcomes: readonly Code[] = [
  "operation_interrupted",
  "operation_superseded",
  "internal_error",
  "service_unavailable",
];

export class Api {
  readonly target: Target;
  readonly #history: History;
  readonly #timeout: number;

  constructor(target: Target, history: History) {
    this.target = target;
    this.#history = history;
    // A live agent may think for minutes.
    this.#timeout = target.live ? 300_000 : 30_000;
  }

  get exact(): boolean {
    return !this.target.live;
  }

  path(operation: OperationName, call: Call): string {
    const channelKey = call.channelKey ?? this.target.channelKey;
    return `/v1/channels/${channelKey}${pathOf(operation, call)}${call.query ?? ""}`;
  }

  headers(operation: OperationName, call: Call): Headers {
    const authorization =
      call.authorization === undefined ? `Bearer ${this.target.chatKey}` : call.authorization;
    const key = call.key === undefined ? randomUUID() : call.key;
    return {
      ...(authorization === null ? {} : { Authorization: authorization }),
      ...(methodOf(operation) === "GET" || key === null ? {} : { "Idempotency-Key": key }),
      ...(call.json === undefined ? {} : { "Content-Type": "application/json" }),
      ...call.headers,
    };
  }

  #open(operation: OperationName, call: Call): Promise<OpenResponse> {
    running.getStore()?.operations.add(operation);
    return open({
      method: methodOf(operation),
      base: this.target.base,
      path: this.path(operation, call),
      headers: this.headers(operation, call),
      body: call.json === undefined ? call.body : JSON.stringify(call.json),
      timeoutMilliseconds: this.#timeout,
    });
  }

  /** Sends an unchanged request to any path and checks the response against the general rules. */
  async request(
    method: string,
    path: string,
    options: { headers?: Headers; body?: Body } = {},
  ): Promise<WholeResponse> {
    const request = { method, base: this.target.base, path, timeoutMilliseconds: this.#timeout };
    return this.#patiently(() => send({ ...request, ...options }));
  }

  /**
   * One response, checked against the general rules. Waits and repeats the request when a live channel
   * answers 429, and skips the test when its plan has no chats left.
   */
  async #patiently(send: () => Promise<WholeResponse>): Promise<WholeResponse> {
    for (let waited = 0; ; ) {
      const response = await send();
      checkGeneralRules(response, this.exact);
      if (response.status >= 400) running.getStore()?.codes.add(errorOf(response).code);
      if (this.exact || response.status !== 429) return response;
      const { code } = errorOf(response);
      if (code === "chat_limit_reached") {
        note("plan ended");
        throw new Skip(noMoreChats);
      }
      if (code !== "rate_limited" && code !== "capacity_limited") return response;
      const wait = Math.max(1, Number(response.headers["retry-after"])) * 1000;
      waited += wait;
      if (waited > longestPatience) return response;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** The head of a raw POST request, for tests with a wrong body. */
  rawHead(operation: OperationName, call: Call, headers: Record<string, string>): string {
    running.getStore()?.operations.add(operation);
    const all = { Host: this.target.base.host, ...this.headers(operation, call), ...headers };
    return rawRequest("POST", this.path(operation, call), all);
  }

  get authorized(): Headers {
    return { Authorization: `Bearer ${this.target.chatKey}` };
  }

  /** Calls an operation and checks its response against the specification. */
  async call(operation: OperationName, call: Call = {}): Promise<WholeResponse> {
    const request = call.key === undefined ? { ...call, key: randomUUID() } : call;
    const settle = operation === "sendMessage" ? this.#sends(request) : undefined;
    const response = await this.#patiently(async () => whole(await this.#open(operation, request)));
    checkOperationRules(operation, response, this.exact);
    if (response.status >= 400) {
      if (!unknownOutcomes.includes(errorOf(response).code)) settle?.(null);
    } else settle?.(JSON.parse(response.text).item);
    if (operation === "createChat" && response.status === 201) {
      this.#history.created(itemOf<Chat>(response, 201).id);
      note("chat created");
    }
    return response;
  }

  /** Records the message for the check of histories. */
  #sends({ chatId = "", key, json, body }: Call): (turn: MessageTurn | null) => void {
    return this.#history.sends(chatId, key ?? "", (json ?? jsonOf(body)) as object);
  }

  // The methods below expect success.

  async createChat(json: object = {}, call: Call = {}): Promise<Chat> {
    return itemOf<Chat>(await this.call("createChat", { json, ...call }), 201);
  }

  /** The chat that this key has created or creates. */
  async plannedChat(key: string): Promise<Chat> {
    const response = await this.call("createChat", { json: {}, key });
    // The lab may have advanced the clock past the key's lifetime.
    if (response.status === 409) return this.createChat();
    return itemOf<Chat>(response, response.status === 200 ? 200 : 201);
  }

  async getChat(chatId: string): Promise<Chat> {
    return itemOf<Chat>(await this.call("getChat", { chatId }), 200);
  }

  async sendMessage(chatId: string, json: object, call: Call = {}): Promise<MessageTurn> {
    return itemOf<MessageTurn>(await this.call("sendMessage", { chatId, json, ...call }), 201);
  }

  async listMessages(chatId: string, query = ""): Promise<MessagePage> {
    const response = await this.call("listMessages", { chatId, query });
    if (response.status !== 200) throw new Error(`expected 200, got ${response.status}: ${response.text}`);
    return JSON.parse(response.text) as MessagePage;
  }

  /** All messages of the chat, in the order of the pages. */
  async allMessages(chatId: string, limit = 50): Promise<Message[]> {
    const messages: Message[] = [];
    let cursor: string | null = null;
    do {
      const page: MessagePage = await this.listMessages(
        chatId,
        `?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`,
      );
      messages.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return messages;
  }

  upload(
    chatId: string,
    file: Partial<MultipartPart> & { bytes: Uint8Array },
    call: Call = {},
  ): Promise<WholeResponse> {
    const form = multipart([{ name: "file", filename: "note.txt", mediaType: "text/plain", ...file }]);
    return this.uploadForm(chatId, form, call);
  }

  uploadForm(
    chatId: string,
    { body, contentType }: { body: Body; contentType: string },
    call: Call = {},
  ): Promise<WholeResponse> {
    return this.call("uploadFile", { chatId, body, ...call, headers: { "Content-Type": contentType } });
  }

  async uploadFile(
    chatId: string,
    file: Partial<MultipartPart> & { bytes: Uint8Array },
    call: Call = {},
  ): Promise<File> {
    return itemOf<File>(await this.upload(chatId, file, call), 201);
  }

  async getCollection(chatId: string): Promise<Collection> {
    return itemOf<Collection>(await this.call("getCollection", { chatId }), 200);
  }

  async submitCollection(chatId: string, json: object, call: Call = {}): Promise<Collection> {
    return itemOf<Collection>(await this.call("submitCollection", { chatId, json, ...call }), 200);
  }

  async handoff(chatId: string, json: object, call: Call = {}): Promise<Chat> {
    return itemOf<Chat>(await this.call("handoff", { chatId, json, ...call }), 201);
  }

  /** Opens a streamed reply and requires a success status; use `call` for errors before `start`. */
  async stream(chatId: string, json: object, call: Call = {}): Promise<TurnStream> {
    const headers = { Accept: "text/event-stream", ...call.headers };
    const request = { chatId, json, key: randomUUID(), ...call, headers };
    const settle = this.#sends(request);
    let opened: OpenResponse | undefined;
    const head = await this.#patiently(async () => {
      opened = await this.#open("sendMessage", request);
      if (opened.status >= 400) return whole(opened);
      return { status: opened.status, headers: opened.headers, bytes: Buffer.alloc(0), text: "" };
    });
    if (opened === undefined || (head.status !== 200 && head.status !== 201)) {
      if (head.status >= 400 && !unknownOutcomes.includes(errorOf(head).code)) settle(null);
      throw new Error(`expected a stream, got ${head.status}: ${head.text}`);
    }
    return new TurnStream(opened, this.exact, settle);
  }
}

function jsonOf(body: Body | undefined): object {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}

export function itemOf<T>(response: WholeResponse, status: number): T {
  if (response.status !== status) {
    throw new Error(`expected ${status}, got ${response.status}: ${response.text.slice(0, 1_000)}`);
  }
  // The shape was checked when the response arrived.
  return (JSON.parse(response.text) as { item: T }).item;
}

export function errorOf(response: WholeResponse): ErrorBody["error"] {
  return (JSON.parse(response.text) as ErrorBody).error;
}

const rateHeaders = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];

/** Checks the rules for every response (docs/chat-api.md, "General rules" and "Error codes"). */
function checkGeneralRules(
  response: Pick<WholeResponse, "status" | "headers" | "text">,
  exact: boolean,
): void {
  const { status, headers, text } = response;
  const fail = (rule: Rule, what: string) => {
    throw new Breach(rule, `${what} (${status} ${JSON.stringify(headers)} ${text.slice(0, 500)})`);
  };
  const requestId = headers["x-request-id"];
  if (!requestId) fail("general.request-id", "X-Request-Id is missing");
  if (status < 400) {
    for (const name of rateHeaders) {
      if (!headers[name]) fail("general.rate-limit", `${name} is missing`);
      if (exact && !/^\d+$/.test(headers[name] ?? ""))
        fail("general.rate-limit", `${name} is not a whole number`);
    }
    return;
  }
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    fail("general.json", "the error is not JSON");
  const { error } = read(ErrorBody, JSON.parse(text), exact);
  if (statusOf(error.code) !== status)
    fail("errors.shape", `${error.code} has status ${statusOf(error.code)}`);
  if (error.requestId !== requestId) fail("general.request-id", "error.requestId differs from X-Request-Id");
  if (status === 429 || status === 503) {
    if (!/^\d+$/.test(headers["retry-after"] ?? ""))
      fail("general.retry-after", "Retry-After is missing or not in seconds");
  }
}

/** Checks the response's status, error and shape for the operation (docs/chat-api.md, "Operations"). */
function checkOperationRules(operation: OperationName, response: WholeResponse, exact: boolean): void {
  if (response.status >= 400) {
    const { code } = errorOf(response);
    if (codesOf(operation).includes(code)) return;
    throw new Breach(
      "errors.shape",
      `${operation} answered ${code}, which is not in its list of errors: ${response.text}`,
    );
  }
  if (!statusesOf(operation).includes(response.status)) {
    throw new Breach("errors.shape", `${operation} answered ${response.status}: ${response.text}`);
  }
  if (operation === "downloadFile") return;
  if (!/^application\/json\s*(;|$)/i.test(response.headers["content-type"] ?? "")) {
    throw new Error(`expected JSON, got ${response.headers["content-type"]}`);
  }
  const value: unknown = JSON.parse(response.text);
  read(responses[operation], value, exact);
  // The shared contract must keep every specified field: a dropped field would not reach the customer.
  if (exact && !isDeepStrictEqual(operationContracts[operation].response.parse(value), value)) {
    throw new Error(`lib/chat-api changes this response of ${operation}: ${response.text}`);
  }
}
