import type { APIResponse, Route } from "@playwright/test";

/** Sends a route's request to the server and returns the response. */
export function responseTo(route: Route, changes: Parameters<Route["fetch"]>[0] = {}): Promise<APIResponse> {
  // The server may just have closed the idle connection that Playwright takes.
  return route.fetch({ ...changes, maxRetries: 3 });
}
