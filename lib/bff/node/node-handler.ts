/**
 * The chat server on Node's HTTP: streams requests and responses, and notices when either side disconnects.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { ChatApiError } from "../../chat-api/errors.ts";
import { type ChatServer, observerOf, respondTo } from "../chat-server/chat-server.ts";
import type { ChatResponse } from "../transport/chat-response.ts";
import { IncomingRequest } from "./incoming-request.ts";
import { isKnownMethod, notAPath, pathOf, refuseEarly, targetUrl } from "./refuse-early.ts";
import { writeResponse } from "./write-response.ts";

/** For `http.createServer`, Express and Connect. Calls `next`, if given, for paths outside the chat. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

export function toNodeHandler(chat: ChatServer): NodeHandler {
  return (incoming, outgoing, next) => {
    const target = targetOf(incoming);
    if (next !== undefined && !pathOf(target).startsWith(`${chat.basePath}/`)) return next();
    respond(chat, targetUrl(target), incoming, outgoing)
      .then((response) => writeResponse(response, outgoing))
      .catch((error: unknown) => {
        observerOf(chat).log.error({ event: "unexpected_error", err: error }, "A response could not be sent");
        outgoing.destroy();
      });
  };
}

function respond(
  chat: ChatServer,
  url: URL | null,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<ChatResponse> {
  const refusal = refusalOf(url, incoming);
  if (refusal !== undefined || url === null)
    return refuseEarly(observerOf(chat), "node", incoming, ({ log }) => {
      if (refusal?.message === consumed) log().error({ event: "body_consumed" }, consumed);
      throw refusal;
    });
  return respondTo(chat, new IncomingRequest(url, incoming, outgoing));
}

/** The request target. Express removes the mount path from `url`. */
function targetOf({ url = "/", originalUrl = url }: IncomingMessage & { originalUrl?: unknown }): string {
  return String(originalUrl);
}

/** The refusal of a request that cannot enter the pipeline. */
function refusalOf(url: URL | null, incoming: IncomingMessage): ChatApiError | undefined {
  if (url === null) return notAPath();
  if (!isKnownMethod(incoming)) return new ChatApiError("method_not_allowed");
  if (incoming.readableDidRead) return new ChatApiError("internal_error", { message: consumed });
  return undefined;
}

const consumed =
  "A body parser has read this request before the chat: mount toNodeHandler(chat) before express.json() and the like.";
