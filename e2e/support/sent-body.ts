/**
 * The text body of a page's request. Firefox does not report bodies to Playwright, so the relay between them
 * (`e2e/engines/firefox.ts`) adds the body as a header to the reported request. The header is never sent.
 */
import type { APIResponse, Request, Route } from "@playwright/test";

export const relayedBody = "x-relayed-body";

/** Null for a request without a body. */
export function bodyOf(request: Request): string | null {
  const relayed = request.headers()[relayedBody];
  return relayed === undefined ? request.postData() : Buffer.from(relayed, "base64").toString();
}

/** `route.fetch` with the body of the page's request. */
export function fetchOn(
  route: Route,
  changes: NonNullable<Parameters<Route["fetch"]>[0]> = {},
): Promise<APIResponse> {
  const request = route.request();
  if (request.headers()[relayedBody] === undefined) return route.fetch(changes);
  const { [relayedBody]: _, ...headers } = changes.headers ?? request.headers();
  return route.fetch({ postData: bodyOf(request) ?? "", ...changes, headers });
}
