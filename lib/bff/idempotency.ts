/** The key under which the Chat API knows an operation of a customer's. */
import { createHash } from "node:crypto";
import type { OperationName } from "#lib/chat-api/operations.ts";

export interface KeyParts {
  userId: string;
  operation: OperationName;
  /** Absent for the operation that creates a chat. */
  chatId?: string | undefined;
  /** The key that the browser chose. */
  browserKey: string;
}

/**
 * Binds the browser's key to the customer, the operation and the chat: no browser can name (and replay) a key of
 * someone else's, and one key used for two things is two keys. No secret goes in, so that a retry after a restart or
 * a rotation of secrets is still the same operation. 43 characters of the Chat API's alphabet; no part can hold a
 * line break, so the joined text is unambiguous.
 */
export function upstreamKey({ userId, operation, chatId = "-", browserKey }: KeyParts): string {
  return createHash("sha256")
    .update(["v1", userId, operation, chatId, browserKey].join("\n"))
    .digest("base64url");
}
