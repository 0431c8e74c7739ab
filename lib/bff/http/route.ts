/**
 * The pipeline: every request below the base path passes these steps in this order, and none of them anywhere
 * else.
 *
 *   method → same origin → caller → limits → ids, key → ownership → slot → body (counted) → handle
 *   → error map → headers, log
 *
 * Each step is a small file of its own and refuses by throwing a `ChatApiError`. The steps that let a caller
 * hold something, an upload slot or a body's memory, come after all others that can refuse. Web standards
 * only: the same routes run inside Next and without it.
 */
import type { Chat } from "../../chat-api/chat.ts";
import { ChatApiError } from "../../chat-api/errors.ts";
import { callerHeader, headerNames } from "../../chat-api/headers.ts";
import { type OperationName, operations } from "../../chat-api/operations.ts";
import { parseIdempotencyKey } from "../../chat-api/parse-request.ts";
import { upstreamKey } from "../chats/idempotency.ts";
import type { ChatRequest } from "../exchange/chat-request.ts";
import type { ChatResponse } from "../exchange/chat-response.ts";
import { type CallerAddress, callerAddress } from "../limits/caller-address.ts";
import type { LimitName } from "../limits/rate-limits.ts";
import type { SlotHolder } from "../limits/slots.ts";
import { sessionTag } from "../observability/log.ts";
import type { Session } from "../session/guest-sessions.ts";
import { callerTag } from "../session/identity.ts";
import type { UpstreamClient } from "../upstream/upstream.ts";
import type { Bff } from "./bff-parts.ts";
import type { BodyReader } from "./body.ts";
import { observed, type RequestScope } from "./observed.ts";
import { type PathIds, type PathParams, readPathIds } from "./path-ids.ts";
import { methodNotAllowed } from "./responses.ts";
import { type PageRule, requireAllowedPage } from "./same-origin.ts";

export interface RouteSpec<B> {
  /** The route's name in logs and metrics. */
  name: string;
  method: "GET" | "POST" | "DELETE";
  caller: PageRule;
  /** `optional` also admits a guest without a cookie; `ignored` does not determine the caller. */
  session: "ignored" | "optional" | "required";
  limit: LimitName;
  /** Limits concurrent requests, for routes with large bodies. These routes require a session. */
  slots?: "uploadSlots";
  body: BodyReader<B>;
  /** Set for the Chat API's operations, whose table gives IDs, ownership and idempotency key. */
  operation?: OperationName;
}

/** A request that has passed every step. */
export interface Call<B> extends RequestScope {
  readonly bff: Bff;
  readonly request: ChatRequest;
  readonly url: URL;
  readonly body: B;
  /** Undefined only if the route requires no session. */
  readonly optionalSession: Session | undefined;
  readonly session: Session;
  /** The caller's address, if known. */
  readonly address: CallerAddress | undefined;
  readonly chatId: string;
  readonly fileId: string;
  /** The upstream idempotency key of routes that write. */
  readonly key: string;
  /** The chat, if the ownership step has just read it; undefined if the owner was cached. */
  readonly chat: Chat | undefined;
  /** A client of the Chat API for this customer and chat. */
  readonly upstream: UpstreamClient;
}

export interface Route {
  readonly name: string;
  readonly method: RouteSpec<unknown>["method"];
  answer(bff: Bff, received: ReceivedRequest, params: PathParams): Promise<ChatResponse>;
}

/** A request and what its server knows about it. */
export interface ReceivedRequest {
  request: ChatRequest;
  /** The parsed `request.url`. */
  url: URL;
  /** The connection's address, which a web-standard request does not have. */
  peerAddress: string | undefined;
}

export function route<B>(spec: RouteSpec<B>, handle: (call: Call<B>) => Promise<ChatResponse>): Route {
  return {
    name: spec.name,
    method: spec.method,
    answer: (bff, received, params) =>
      observed(bff, spec.name, received.request, async (scope) => {
        const caller = await admit(bff, spec, received, scope);
        const { request, url } = received;
        const admitted = { bff, spec, request, url, params, scope, ...caller };
        const asked = await identify(admitted);
        const slot = spec.slots && bff[spec.slots].take(holderOf(admitted));
        try {
          const body = await spec.body(request);
          return await handle(new RouteCall({ ...admitted, ...asked, body })).catch((thrown) =>
            rethrow(thrown, bff, params),
          );
        } finally {
          slot?.release();
        }
      }),
  };
}

/** A route of one of the Chat API's nine operations. */
export function operationRoute<B>(
  operation: OperationName,
  spec: Pick<RouteSpec<B>, "body" | "limit" | "slots"> & Partial<Pick<RouteSpec<B>, "caller">>,
  handle: (call: Call<B>) => Promise<ChatResponse>,
): Route {
  const { method } = operations[operation];
  return route(
    { name: operation, method, operation, session: "required", caller: "own_pages", ...spec },
    handle,
  );
}

/** Handles a request at a path with these routes. Other methods answer 405. */
export async function answerAt(
  bff: Bff,
  routes: readonly Route[],
  received: ReceivedRequest,
  params: PathParams,
): Promise<ChatResponse> {
  const { request } = received;
  const found = routes.find(({ method }) => method === request.method);
  if (found !== undefined) return found.answer(bff, received, params);
  return observed(bff, "methodNotAllowed", request, async ({ requestId, note }) => {
    note({ code: "method_not_allowed" });
    return methodNotAllowed(
      routes.map(({ method }) => method),
      requestId,
    );
  });
}

/** The steps that check the caller. */
async function admit(
  bff: Bff,
  spec: RouteSpec<unknown>,
  { request, peerAddress }: ReceivedRequest,
  scope: RequestScope,
): Promise<Caller> {
  requireAllowedPage(request, spec.caller, bff.config.appOrigin);
  bff.streams.requireOpen();
  const session = spec.session === "ignored" ? undefined : await bff.identity.read(request);
  if (session !== undefined) {
    scope.note({ session: sessionTag(session.userId) });
    scope.setHeader(callerHeader, callerTag(session));
  }
  if (spec.session === "required") requireSameCaller(session, request);
  const address = callerAddress(request, bff.config.trustProxyHops, peerAddress);
  await bff.rateLimits.consume(spec.limit, { request, session, address, note: scope.note });
  return { optionalSession: session, address };
}

/** A page that has not noticed another customer's sign-in must not act for that customer. */
function requireSameCaller(session: Session | undefined, request: ChatRequest): void {
  const expected = request.headers.get(callerHeader);
  const isExpected = session !== undefined && (expected === null || expected === callerTag(session));
  if (!isExpected) throw new ChatApiError("session_required");
}

interface Caller {
  optionalSession: Session | undefined;
  address: CallerAddress | undefined;
}

interface Admitted extends Caller {
  bff: Bff;
  spec: RouteSpec<unknown>;
  request: ChatRequest;
  url: URL;
  params: PathParams;
  scope: RequestScope;
}

interface Asked {
  ids: PathIds;
  browserKey: string | undefined;
  chat: Chat | undefined;
}

/** The steps that check the request, except the body. */
async function identify(admitted: Admitted): Promise<Asked> {
  const { spec, request, params } = admitted;
  const ids = readPathIds(params);
  const browserKey = writes(spec)
    ? parseIdempotencyKey(request.headers.get(headerNames.idempotencyKey))
    : undefined;
  return { ids, browserKey, chat: await requireOwner(admitted, ids) };
}

function holderOf({ optionalSession, address }: Admitted): SlotHolder {
  if (optionalSession === undefined) throw new ChatApiError("session_required");
  return { session: optionalSession, address };
}

/** The chat is gone, so the next call must ask for its owner again. */
function rethrow(thrown: unknown, { ownership }: Bff, { chatId }: PathParams): never {
  if (thrown instanceof ChatApiError && thrown.code === "chat_not_found") ownership.forget(String(chatId));
  throw thrown;
}

function writes(spec: RouteSpec<unknown>): boolean {
  return spec.operation !== undefined && operations[spec.operation].writes;
}

async function requireOwner(
  { bff, spec, optionalSession, scope }: Admitted,
  ids: PathIds,
): Promise<Chat | undefined> {
  if (ids.chatId === undefined) return undefined;
  if (optionalSession === undefined) throw new ChatApiError("session_required");
  return bff.ownership.require(optionalSession.userId, ids.chatId, writes(spec), scope.note);
}

interface CallParts<B> extends Omit<Admitted, "params">, Asked {
  body: B;
}

class RouteCall<B> implements Call<B> {
  readonly #parts: CallParts<B>;
  readonly bff: Bff;
  readonly request: ChatRequest;
  readonly url: URL;
  readonly requestId: string;
  readonly log: RequestScope["log"];
  readonly note: RequestScope["note"];
  readonly setHeader: RequestScope["setHeader"];
  readonly deferLog: RequestScope["deferLog"];
  readonly body: B;
  readonly optionalSession: Session | undefined;
  readonly address: CallerAddress | undefined;
  readonly chat: Chat | undefined;

  constructor(parts: CallParts<B>) {
    this.#parts = parts;
    this.bff = parts.bff;
    this.request = parts.request;
    this.url = parts.url;
    this.requestId = parts.scope.requestId;
    this.log = parts.scope.log;
    this.note = parts.scope.note;
    this.setHeader = parts.scope.setHeader;
    this.deferLog = parts.scope.deferLog;
    this.body = parts.body;
    this.optionalSession = parts.optionalSession;
    this.address = parts.address;
    this.chat = parts.chat;
  }

  get session() {
    return this.#need(this.optionalSession, "session");
  }

  get chatId() {
    return this.#need(this.#parts.ids.chatId, "chatId");
  }

  get fileId() {
    return this.#need(this.#parts.ids.fileId, "fileId");
  }

  get upstream() {
    const caller = { customer: this.session.userId, chatId: this.#parts.ids.chatId };
    return this.bff.upstream.client(caller, this.note);
  }

  get key() {
    const { spec, ids, browserKey } = this.#parts;
    return upstreamKey({
      userId: this.session.userId,
      operation: this.#need(spec.operation, "operation"),
      chatId: ids.chatId,
      browserKey: this.#need(browserKey, "idempotency key"),
    });
  }

  /** Using a part that the route does not provide is a bug, which the handler's first test finds. */
  #need<T>(value: T | undefined, what: string): T {
    if (value === undefined) throw new TypeError(`${this.#parts.spec.name} has no ${what}`);
    return value;
  }
}
