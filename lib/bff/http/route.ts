/**
 * The pipeline. A request for one of the Chat API's operations passes these steps in this order. Other routes
 * skip the steps that they do not need. An unknown path or method is refused before the caller is known.
 *
 *   method → same origin → address → caller → limits → ids, key → ownership → slot → body (counted) → handle
 *   → error map → headers, log
 *
 * A step refuses by throwing a `ChatApiError`. The steps that let a caller hold something, an upload slot or
 * a body's memory, come after all other steps that can refuse. The routes use no API of Next or of Node's
 * HTTP server, so they run inside Next and without it.
 */

import { hash } from "node:crypto";
import type { Chat } from "../../chat-api/chat.ts";
import { ChatApiError } from "../../chat-api/errors.ts";
import { callerHeader, headerNames } from "../../chat-api/headers.ts";
import { type OperationName, operations } from "../../chat-api/operations.ts";
import { parseIdempotencyKey } from "../../chat-api/parse-request.ts";
import { chatIdPattern, fileIdPattern } from "../../chat-api/patterns.ts";
import { type CallerAddress, callerAddress } from "../limits/caller-address.ts";
import type { LimitName } from "../limits/rate-limits.ts";
import type { CallerTags } from "../session/caller-tags.ts";
import type { Session } from "../session/guest-sessions.ts";
import type { UpstreamClient } from "../upstream/upstream.ts";
import type { Bff } from "./bff.ts";
import type { BodyReader, BodySource } from "./body.ts";
import type { RequestScope } from "./observed.ts";
import type { PageRule } from "./same-origin.ts";

export interface RouteSpec {
  /** The route's name in logs and metrics. */
  name: string;
  method: "GET" | "POST" | "DELETE";
  caller: PageRule;
  /** `optional` also admits a guest without a cookie; `ignored` does not determine the caller. */
  session: "ignored" | "optional" | "required";
  limit: LimitName;
}

/** The settings of a route that anybody may read without a session. It also answers HEAD. */
export const publicRead = { method: "GET", caller: "anywhere", session: "ignored", limit: "check" } as const;

/** A request as it arrives. */
export interface ReceivedRequest extends BodySource {
  /** Its origin is not to be trusted, because the caller chooses the `Host` header. */
  readonly url: URL;
  readonly peerAddress?: string | undefined;
  readonly dropsEncoding?: boolean;
}

/** A request whose caller has been checked. */
export interface Call extends RequestScope, ReceivedRequest {
  readonly bff: Bff;
  /** Undefined only if the route requires no session. */
  readonly session: Session | undefined;
  /** The caller's address, if known. */
  readonly address: CallerAddress | undefined;
}

/** The IDs in a path by their names. They arrive percent-decoded and may contain anything. */
export type PathParams = Readonly<Record<string, string>>;

export interface Route {
  readonly name: string;
  readonly methods: readonly string[];
  /** @throws ChatApiError for a request that is refused. */
  handle(bff: Bff, received: ReceivedRequest, scope: RequestScope, params: PathParams): Promise<Response>;
}

export function route(spec: RouteSpec, handle: (call: Call, params: PathParams) => Promise<Response>): Route {
  return {
    name: spec.name,
    methods: spec.method === "GET" && spec.caller === "anywhere" ? ["GET", "HEAD"] : [spec.method],
    handle: async (bff, received, scope, params) => handle(await admit(bff, spec, received, scope), params),
  };
}

type Operations = typeof operations;
type IdIn<Path> = Path extends `${string}{${infer Id}}${infer Rest}` ? Id | IdIn<Rest> : never;
/** The upstream idempotency key of operations that write. */
type KeyOf<Writes> = Writes extends true ? { readonly key: string } : unknown;

/** A request that has passed every step. The operation decides which IDs it has, and whether a key. */
export type OperationCall<Name extends OperationName, Body = undefined> = Call &
  CheckedOperation &
  Readonly<Record<IdIn<Operations[Name]["path"]>, string>> &
  KeyOf<Operations[Name]["writes"]> & { readonly body: Body };

interface CheckedOperation {
  readonly session: Session;
  /** The chat's owner: the caller, or the guest whom the caller follows. */
  readonly userId: string;
  /** The chat if it has just been read; undefined if its owner was cached or the operation has no chat. */
  readonly chat: Chat | undefined;
  /** A client of the Chat API for this customer and chat. */
  readonly upstream: UpstreamClient;
}

interface OperationSpec<Body> extends Partial<Omit<RouteSpec, "method" | "session">> {
  limit: LimitName;
  body: BodyReader<Body>;
  /** True for a request that takes an upload slot, because its body may be large. */
  isLarge?: (request: Request) => boolean;
}

/**
 * A route of one of the Chat API's nine operations. Their table says which IDs a request has, and whether it
 * needs an ownership check and an idempotency key.
 */
export function operationRoute<Name extends OperationName, Body>(
  operation: Name,
  { body: readBody, isLarge, ...spec }: OperationSpec<Body>,
  handle: (call: OperationCall<Name, Body>) => Promise<Response>,
): Route {
  const { method } = operations[operation];
  return route(
    { name: operation, method, session: "required", caller: "own_pages", ...spec },
    async (call, params) => {
      const checked = await checkOperation(operation, call, params);
      const { session } = checked;
      const slot = isLarge?.(call.request)
        ? call.bff.uploadSlots.take({ session, address: call.address })
        : undefined;
      try {
        const body = await readBody(call);
        return await handle({ ...call, ...checked, body } as OperationCall<Name, Body>);
      } catch (thrown) {
        // The chat is gone, so the next call must ask for its owner again.
        if (thrown instanceof ChatApiError && thrown.code === "chat_not_found")
          call.bff.ownership.forget(String(params["chatId"]));
        throw thrown;
      } finally {
        slot?.release();
      }
    },
  );
}

/** The steps that check the caller. */
async function admit(
  bff: Bff,
  spec: RouteSpec,
  received: ReceivedRequest,
  scope: RequestScope,
): Promise<Call> {
  const { request, peerAddress } = received;
  bff.allowedPages.require(request, spec.caller, scope.note);
  bff.streams.requireOpen();
  const address = callerAddress(request, bff.config.trustProxyHops, peerAddress);
  const { note } = scope;
  let session: Session | undefined;
  if (spec.session !== "ignored") {
    await bff.rateLimits.consume("identify", { session, address, note });
    session = await bff.identity.read(received);
  }
  const tags = session && bff.callerTags(session);
  if (tags !== undefined) {
    note({ session: tags.logged });
    scope.setHeader(callerHeader, tags.current);
  }
  if (spec.session === "required") requireSameCaller(tags, request);
  await bff.rateLimits.consume(spec.limit, { session, address, note });
  return { ...scope, ...received, bff, session, address };
}

/** A page that has not noticed another customer's sign-in must not act for that customer. */
function requireSameCaller(tags: CallerTags | undefined, request: Request): void {
  const expected = request.headers.get(callerHeader);
  const isExpected =
    tags !== undefined && (expected === null || expected === tags.current || tags.former.includes(expected));
  if (!isExpected) throw new ChatApiError("session_required");
}

/** The steps that check an operation's request, except the body. */
async function checkOperation(operation: OperationName, call: Call, { chatId, fileId }: PathParams) {
  if (fileId !== undefined && !fileIdPattern.test(fileId)) throw new ChatApiError("invalid_id");
  const checked = await checkChat(call, chatId, operation, operations[operation].writes);
  return { ...checked, chatId, fileId, upstream: call.bff.upstream.client(call) };
}

/**
 * Checks the chat's ID, the idempotency key of a write, and that the caller owns the chat.
 * @throws ChatApiError `invalid_id`, `invalid_request`, `session_required`, `chat_not_found`
 */
export async function checkChat(
  { bff, request, session, requestId, note }: Call,
  chatId: string | undefined,
  operation: KeyParts["operation"],
  writes: boolean,
) {
  if (chatId !== undefined && !chatIdPattern.test(chatId)) throw new ChatApiError("invalid_id");
  const header = request.headers.get(headerNames.idempotencyKey);
  const browserKey = writes ? parseIdempotencyKey(header) : undefined;
  if (session === undefined) throw new ChatApiError("session_required");
  const { userId, chat } =
    chatId === undefined
      ? { userId: session.userId, chat: undefined }
      : await bff.ownership.require(possibleOwners(session), chatId, writes, { requestId, note });
  const key = browserKey && upstreamKey({ userId, operation, chatId, browserKey });
  return { session, userId, chat, key };
}

/**
 * The caller, and the guest whose chats the caller follows. An operation runs in the owner's name, so that a
 * message that the guest has sent and the customer sends again is the same operation.
 */
function possibleOwners({ userId, guestUserId }: Session): [string, ...string[]] {
  return guestUserId === undefined ? [userId] : [userId, guestUserId];
}

/** The parts of the idempotency key of a customer's operation in the Chat API. */
interface KeyParts {
  userId: string;
  operation: OperationName | "feedback";
  /** Absent for `createChat`. */
  chatId?: string | undefined;
  browserKey: string;
}

/**
 * Hashes the browser's key with the customer, the operation and the chat. So no browser can replay another
 * customer's operation, and a key that a browser uses for two operations gives two upstream keys. The hash
 * contains no secret, because a retry after a restart or a rotation of secrets must repeat the same
 * operation. The result has 43 characters, all of which the Chat API allows in a key. No part can contain a
 * line break, so the joined text is unambiguous.
 */
export function upstreamKey({ userId, operation, chatId = "-", browserKey }: KeyParts): string {
  return hash("sha256", ["v1", userId, operation, chatId, browserKey].join("\n"), "base64url");
}
