/** Responses to requests that cannot enter the pipeline, with its request ID, headers and log line. */
import type { IncomingMessage } from "node:http";
import { ChatApiError } from "../../chat-api/errors.ts";
import { parsedUrl } from "../../chat-api/text.ts";
import { type Observer, observed, type RequestScope } from "../http/observed.ts";
import { WebRequest } from "../transport/chat-request.ts";
import type { ChatResponse } from "../transport/chat-response.ts";

/** Without TRACE and CONNECT, which the platform's `Request` rejects as well. */
export const knownMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export function isKnownMethod({ method }: IncomingMessage): boolean {
  return knownMethods.some((name) => name === method);
}

/** The path of a request target as it was sent. */
export function pathOf(target: string): string {
  return target.split("?", 1).join("");
}

/**
 * A request target as a URL, whose origin does not matter: `//x` is a path here, not a host. Null for an
 * absolute URL, `host:port` or `*`, and for a path that the URL parser rewrites (`\`, `/./`, `%2e%2e`, `#`),
 * because a host's or a proxy's rule for the chat's path compares the path as it was sent.
 */
export function targetUrl(target: string): URL | null {
  const url = target.startsWith("/") ? parsedUrl(`http://localhost${target}`) : null;
  return url?.pathname === pathOf(target) ? url : null;
}

/** The refusal of a request target without a `targetUrl`. */
export function notAPath(): ChatApiError {
  return new ChatApiError("invalid_request", { message: "The request target must be a normalized path." });
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
