/** Responses to requests that cannot enter the pipeline, with its request ID, headers and log line. */
import type { IncomingMessage } from "node:http";
import { ChatApiError } from "../../chat-api/errors.ts";
import { type Observer, observed, type RequestScope } from "../http/observed.ts";
import { WebRequest } from "../transport/chat-request.ts";
import type { ChatResponse } from "../transport/chat-response.ts";

/** Without TRACE and CONNECT, which the platform's `Request` rejects as well. */
export const knownMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export function isKnownMethod({ method }: IncomingMessage): boolean {
  return knownMethods.some((name) => name === method);
}

/** The refusal of a request target that is no path: an absolute URL, `host:port` or `*`. */
export function notAPath(): ChatApiError {
  return new ChatApiError("invalid_request", { message: "The request target must be a path." });
}

/** @param refuse Throws the refusal. */
export function refuseEarly(
  observer: Observer,
  name: string,
  incoming: IncomingMessage,
  refuse: (scope: RequestScope) => never,
): Promise<ChatResponse> {
  const { method = "" } = incoming;
  // Its body stays unread, so only the method counts, and a HEAD or TRACE is refused like a GET.
  const request = new WebRequest(new Request("http://localhost"), undefined);
  return observed(observer, name, request, async (scope) => {
    scope.note({ method });
    if (!isKnownMethod(incoming)) scope.setHeader("Allow", knownMethods.join(", "));
    return refuse(scope);
  });
}
