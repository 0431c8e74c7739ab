/** Clients for the shop's own chat server. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { callerHeader } from "../../chat-api/headers.ts";
import {
  type OperationIds,
  type OperationName,
  operationPath,
  operations,
} from "../../chat-api/operations.ts";
import { type ChatClient, createChatClient } from "../../chat-client/client.ts";
import type { Fetch } from "../../chat-client/connection.ts";
import type { ChatClientOptions } from "../../chat-client/options.ts";
import { createRetryPolicy, retryRules } from "../../chat-client/retry.ts";
import { clientHeaders } from "./request.ts";
import { ownerOf, type Session } from "./session.ts";

/**
 * Retries reads silently until the signal aborts. Writes are repeated by `deliver-message.ts` and
 * `repeat-write.ts`, which report each wait to the customer.
 */
function createBrowserRetryPolicy(signal: AbortSignal | undefined) {
  const reads = createRetryPolicy({ ...retryRules, calls: { ...retryRules.calls, times: 2 } });
  return {
    delay: (failed: Parameters<typeof reads.delay>[0]) =>
      operations[failed.operation].writes || signal?.aborted ? null : reads.delay(failed),
  };
}

export interface BrowserClientOptions {
  session: Session;
  /** The owner of the chats. While the customer is someone else, nothing is sent. */
  owner: string;
  /** Sends requests to paths that are not in the Chat API. Returns the path below the base path. */
  pathOf?: (operation: OperationName, ids: OperationIds) => string;
  send: Fetch;
  /** Aborts when the owner's chats close. */
  signal?: AbortSignal;
}

/** `fetch` in the owner's name: the server refuses the request if the customer is another one. */
export function createOwnerFetch({
  session,
  owner,
  send,
}: Omit<BrowserClientOptions, "pathOf" | "signal">): Fetch {
  const sendAsOwner: Fetch = (address, init) => {
    const customer = session.customer();
    if (customer === null) return send(address, init);
    if (ownerOf(customer) !== owner) throw new ChatApiError("session_required");
    const headers = new Headers(init.headers);
    // The server rejects the request if the customer has changed: they may have signed in or out in
    // another tab.
    headers.set(callerHeader, customer.tag);
    return send(address, { ...init, headers });
  };
  return async (address, init) => {
    await session.settled();
    const response = await sendAsOwner(address, init);
    if (response.status !== 401) {
      const named = response.headers.get(callerHeader);
      // If the start fails, the next response names the customer again.
      if (named !== null && named !== session.customer()?.tag) session.start().catch(() => undefined);
      return response;
    }
    // The chat's server answers 401 when there is no customer, or another one. The request had no effect, so
    // it can be repeated for the same owner.
    await session.start();
    return sendAsOwner(address, init);
  };
}

export function clientOptions({
  pathOf = operationPath,
  signal,
  ...sender
}: BrowserClientOptions): ChatClientOptions {
  return {
    url: (operation, ids) => sender.session.api + pathOf(operation, ids),
    headers: () => clientHeaders,
    mayRestart: true,
    retry: createBrowserRetryPolicy(signal),
    fetch: createOwnerFetch(sender),
  };
}

export const createBrowserClient = (options: BrowserClientOptions): ChatClient =>
  createChatClient(clientOptions(options));
