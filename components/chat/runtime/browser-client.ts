/** The chat client, pointed at this shop's own server. */
import {
  type OperationIds,
  type OperationName,
  operationPath,
  operations,
} from "#lib/chat-api/operations.ts";
import { type ChatClient, createChatClient } from "#lib/chat-client/client.ts";
import type { Fetch } from "#lib/chat-client/options.ts";
import { createRetryPolicy } from "#lib/chat-client/retry-policy.ts";
import { clientHeaders, type Session } from "./session.ts";

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

export function createBrowserClient(session: Session, send?: Fetch): ChatClient {
  return browserClientAt(session, operationPath, send);
}

/** The same for paths of this shop's server that the Chat API has not. `pathOf` gives what follows `/api`. */
export function browserClientAt(
  session: Session,
  pathOf: (operation: OperationName, ids: OperationIds) => string,
  send: Fetch = (...call) => fetch(...call),
): ChatClient {
  return createChatClient({
    url: (operation, ids) => `/api${pathOf(operation, ids)}`,
    headers: () => clientHeaders,
    retry: createBrowserRetryPolicy(),
    async fetch(address, init) {
      await session.settled();
      const response = await send(address, init);
      // The BFF answers 401 for one reason: there is no session (any more). The request did nothing, so it may go again.
      if (response.status !== 401) return response;
      await session.start();
      return send(address, init);
    },
  });
}
