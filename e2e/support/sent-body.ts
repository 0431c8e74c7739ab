/**
 * The text that a page's request carries. Firefox does not tell Playwright: there the relay between the two
 * (`e2e/engines/firefox.ts`) adds it to what Playwright is told as a header, which leaves the browser with no request.
 */
import type { APIResponse, Request, Route } from "@playwright/test";

export const relayedBody = "x-relayed-body";

/** Null where there is none, as of a request that reads. */
export function bodyOf(request: Request): string | null {
  const relayed = request.headers()[relayedBody];
  return relayed === undefined ? request.postData() : Buffer.from(relayed, "base64").toString();
}

/** `route.fetch` with all that the page's request carries. */
export function fetchOn(
  route: Route,
  changes: NonNullable<Parameters<Route["fetch"]>[0]> = {},
): Promise<APIResponse> {
  const request = route.request();
  if (request.headers()[relayedBody] === undefined) return route.fetch(changes);
  const { [relayedBody]: _, ...headers } = changes.headers ?? request.headers();
  return route.fetch({ postData: bodyOf(request) ?? "", ...changes, headers });
}
