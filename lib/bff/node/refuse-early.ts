/** Responses to requests that cannot enter the pipeline, with its request ID, headers and log line. */
import type { IncomingMessage } from "node:http";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { ChatResponse } from "../exchange/chat-response.ts";
import { type Observer, observed, type RequestScope } from "../http/observed.ts";
import { withHeader } from "../http/responses.ts";

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
export async function refuseEarly(
  observer: Observer,
  name: string,
  { method = "" }: IncomingMessage,
  refuse: (scope: RequestScope) => never,
): Promise<ChatResponse> {
  const refused = await observed(observer, name, new Request("http://localhost"), async (scope) => {
    scope.note({ method });
    return refuse(scope);
  });
  return refused.status === 405 ? withHeader(refused, "Allow", knownMethods.join(", ")) : refused;
}
