/** The idempotency key of a customer's operation in the Chat API. */
import { createHash } from "node:crypto";
import type { OperationName } from "../../chat-api/operations.ts";

export interface KeyParts {
  userId: string;
  operation: OperationName;
  /** Absent for `createChat`. */
  chatId?: string | undefined;
  /** The browser's key. */
  browserKey: string;
}

/**
 * Binds the browser's key to the customer, the operation and the chat, so that no browser can name (and
 * replay) another customer's key, and one key for two operations becomes two. Contains no secret, so that a
 * retry after a restart or a rotation of secrets stays the same operation. The result has 43 characters that
 * the Chat API allows. No part can contain a line break, so the joined text is unambiguous.
 */
export function upstreamKey({ userId, operation, chatId = "-", browserKey }: KeyParts): string {
  return createHash("sha256")
    .update(["v1", userId, operation, chatId, browserKey].join("\n"))
    .digest("base64url");
}
