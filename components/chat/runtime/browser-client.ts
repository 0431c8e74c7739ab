/** The chat client, pointed at this shop's own server. */
import { type OperationName, operationPath, operations } from "#lib/chat-api/operations.ts";
import { type ChatClient, createChatClient } from "#lib/chat-client/client.ts";
import type { Fetch } from "#lib/chat-client/options.ts";
import { createRetryPolicy } from "#lib/chat-client/retry-policy.ts";
import { clientHeaders } from "./session.ts";

export interface BrowserClientOptions {
  fetch?: Fetch;
  /** Starts the session anew when the server knows none. */
  renewSession(): Promise<unknown>;
}

/**
 * Reads are repeated quietly. Writes are not: `delivery-loop.ts` and the forms repeat them, because the customer is
 * told what happens meanwhile.
 */
function createBrowserRetryPolicy() {
  const reads = createRetryPolicy({ delays: [300, 900] });
  return {
    delay: (failed: Parameters<typeof reads.delay>[0]) =>
      operations[failed.operation].writes ? null : reads.delay(failed),
  };
}

export function createBrowserClient({
  renewSession,
  fetch = globalThis.fetch.bind(globalThis),
}: BrowserClientOptions): ChatClient {
  return createChatClient({
    url: (operation: OperationName, ids) => `/api${operationPath(operation, ids)}`,
    headers: () => clientHeaders,
    retry: createBrowserRetryPolicy(),
    // The BFF answers 401 for one reason: there is no session (any more). The request did nothing, so it may go out again.
    async fetch(address, init) {
      const response = await fetch(address, init);
      if (response.status !== 401) return response;
      await renewSession();
      return fetch(address, init);
    },
  });
}
