/** Limits a URL's query before anything parses it, and refuses targets that a URL parser rewrites. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { parsedUrl } from "../../chat-api/text.ts";
import { bffLimits } from "../configuration/limits.ts";

export function hasTooManyParameters(query: string): boolean {
  return query.length > bffLimits.queryParameters && query.split("&").length > bffLimits.queryParameters;
}

export function tooManyParameters(): ChatApiError {
  return new ChatApiError("invalid_request", { message: "The address has too many parameters." });
}

/** The path of a request target as it was sent. */
export function pathOf(target: string): string {
  return target.split("?", 1).join("");
}

/**
 * False for an absolute URL, `host:port` or `*`, and for a path that the URL parser rewrites (`\`, `/./`,
 * `%2e%2e`, `#`), because a host's or a proxy's rule for the chat's path compares the path as it was sent.
 * `//x` is a path here, not a host.
 *
 * @param url The target, parsed.
 */
export function isNormalized(target: string, url = parsedUrl(`http://localhost${target}`)): boolean {
  return target.startsWith("/") && url?.pathname === pathOf(target);
}

export function notAPath(): ChatApiError {
  return new ChatApiError("invalid_request", { message: "The request target must be a normalized path." });
}
