/**
 * The pipeline: every request to `/api` passes these steps in this order, and none of them anywhere else.
 *
 *   method → same origin → session → limits → ids → body (counted) → ownership → handle → error map → headers, log
 *
 * Each step is a small file of its own and refuses by throwing a `ChatApiError`. Web standards only: the same routes
 * run inside Next and without it.
 */
import type { Chat } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { type OperationName, operations } from "#lib/chat-api/operations.ts";
import { parseIdempotencyKey } from "#lib/chat-api/parse-request.ts";
import type { Bff } from "../bff.ts";
import { upstreamKey } from "../idempotency.ts";
import { type LogFacts, type Logger, sessionTag } from "../log.ts";
import type { LimitName } from "../rate-limits.ts";
import type { Session } from "../session.ts";
import type { BodyReader } from "./body.ts";
import { observed, type Trace } from "./observed.ts";
import { type PathIds, type PathParams, readPathIds } from "./path-ids.ts";
import { methodNotAllowed } from "./responses.ts";
import { type CallerRule, requireCaller } from "./same-origin.ts";

export interface RouteSpec<B> {
  /** In logs and metrics. */
  name: string;
  method: "GET" | "POST" | "DELETE";
  caller: CallerRule;
  /** `ignored` and `optional` let a caller without one pass. */
  session: "ignored" | "optional" | "required";
  limit: LimitName;
  /** Set where bodies are large: no more than so many at a time. */
  places?: "uploadPlaces";
  body: BodyReader<B>;
  /** Set for the operations of the Chat API: IDs, ownership and the idempotency key follow from its table. */
  operation?: OperationName;
}

/** What a handler knows of a request that has passed every step. */
export interface Call<B> {
  readonly bff: Bff;
  readonly request: Request;
  readonly requestId: string;
  readonly log: Logger;
  readonly body: B;
  /** Undefined only where the route's session is not required. */
  readonly visitor: Session | undefined;
  readonly session: Session;
  readonly chatId: string;
  readonly fileId: string;
  /** The upstream idempotency key, of routes that write. */
  readonly key: string;
  /** The chat, where the ownership step has just read it; undefined where it knew the owner already. */
  readonly chat: Chat | undefined;
  /** Adds to the request's log line. Never what a customer wrote. */
  note(facts: LogFacts): void;
  /** For answers that go on after the handler has returned: the log line waits for the call of the function given back. */
  goesOn(): () => void;
}

export interface Route {
  readonly name: string;
  readonly method: RouteSpec<unknown>["method"];
  answer(bff: Bff, request: Request, params: PathParams): Promise<Response>;
}

export function route<B>(spec: RouteSpec<B>, handle: (call: Call<B>) => Promise<Response>): Route {
  return {
    name: spec.name,
    method: spec.method,
    answer: (bff, request, params) =>
      observed(bff, spec.name, request, async (trace) => {
        const visitor = await admit(bff, spec, request, trace);
        const leave = spec.places && bff[spec.places].take(visitor?.seal ?? "");
        try {
          const call = await prepare({ bff, spec, request, params, trace, visitor });
          return await handle(call).catch((thrown) => rethrow(thrown, bff, params));
        } finally {
          leave?.();
        }
      }),
  };
}

/** A route that is one of the Chat API's nine operations. */
export function operationRoute<B>(
  operation: OperationName,
  spec: Pick<RouteSpec<B>, "body" | "limit" | "places"> & Partial<Pick<RouteSpec<B>, "caller">>,
  handle: (call: Call<B>) => Promise<Response>,
): Route {
  const { method } = operations[operation];
  return route(
    { name: operation, method, operation, session: "required", caller: "own_pages", ...spec },
    handle,
  );
}

/** Answers a request at a path that has these routes; every other method is refused by name. */
export async function answerAt(
  bff: Bff,
  routes: readonly Route[],
  request: Request,
  params: PathParams,
): Promise<Response> {
  const found = routes.find(({ method }) => method === request.method);
  if (found !== undefined) return found.answer(bff, request, params);
  return observed(bff, "methodNotAllowed", request, async ({ requestId, note }) => {
    note({ code: "method_not_allowed" });
    return methodNotAllowed(
      routes.map(({ method }) => method),
      requestId,
    );
  });
}

/** Answers a request at a path that has no routes. */
export function answerNowhere(bff: Bff, request: Request): Promise<Response> {
  return observed(bff, "notFound", request, async () => {
    throw new ChatApiError("not_found");
  });
}

/** The steps that are about the caller. */
async function admit(
  bff: Bff,
  spec: RouteSpec<unknown>,
  request: Request,
  trace: Trace,
): Promise<Session | undefined> {
  requireCaller(request, spec.caller, bff.config.appOrigin);
  bff.streams.requireOpen();
  const visitor = spec.session === "ignored" ? undefined : await bff.sessions.read(request);
  if (visitor !== undefined) trace.note({ session: sessionTag(visitor.userId) });
  if (spec.session === "required" && visitor === undefined) throw new ChatApiError("session_required");
  await bff.rateLimits.consume(spec.limit, { request, session: visitor });
  return visitor;
}

interface Admitted<B> {
  bff: Bff;
  spec: RouteSpec<B>;
  request: Request;
  params: PathParams;
  trace: Trace;
  visitor: Session | undefined;
}

/** The steps that are about what is asked for. */
async function prepare<B>(admitted: Admitted<B>): Promise<Call<B>> {
  const { spec, request, params } = admitted;
  const ids = readPathIds(params);
  const browserKey = writes(spec)
    ? parseIdempotencyKey(request.headers.get(headerNames.idempotencyKey))
    : undefined;
  const body = await spec.body(request);
  const chat = await requireOwner(admitted, ids);
  return createCall({ ...admitted, ids, browserKey, body, chat });
}

/** A chat that was ours is gone: the next call shall ask whose it is. */
function rethrow(thrown: unknown, { ownership }: Bff, { chatId }: PathParams): never {
  if (thrown instanceof ChatApiError && thrown.code === "chat_not_found") ownership.forget(String(chatId));
  throw thrown;
}

function writes(spec: RouteSpec<unknown>): boolean {
  return spec.operation !== undefined && operations[spec.operation].writes;
}

async function requireOwner(
  { bff, visitor, trace }: Admitted<unknown>,
  ids: PathIds,
): Promise<Chat | undefined> {
  if (ids.chatId === undefined) return undefined;
  if (visitor === undefined) throw new ChatApiError("session_required");
  return bff.ownership.require(visitor.userId, ids.chatId, trace.note);
}

interface CallParts<B> extends Omit<Admitted<B>, "params"> {
  ids: PathIds;
  browserKey: string | undefined;
  body: B;
  chat: Chat | undefined;
}

function createCall<B>({
  bff,
  spec,
  request,
  trace,
  visitor,
  ids,
  browserKey,
  body,
  chat,
}: CallParts<B>): Call<B> {
  // A handler that asks for what its route has not is a programming fault, which its first test finds.
  const need = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new TypeError(`${spec.name} has no ${what}`);
    return value;
  };
  return {
    bff,
    request,
    ...trace,
    body,
    visitor,
    chat,
    get session() {
      return need(visitor, "session");
    },
    get chatId() {
      return need(ids.chatId, "chatId");
    },
    get fileId() {
      return need(ids.fileId, "fileId");
    },
    get key() {
      return upstreamKey({
        userId: this.session.userId,
        operation: need(spec.operation, "operation"),
        chatId: ids.chatId,
        browserKey: need(browserKey, "idempotency key"),
      });
    },
  };
}
