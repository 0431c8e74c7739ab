/** The idempotency key of a customer's operation in the Chat API. */
import { hash } from "node:crypto";
import type { OperationName } from "../../chat-api/operations.ts";

export interface KeyParts {
  userId: string;
  operation: OperationName | "feedback";
  /** Absent for `createChat`. */
  chatId?: string | undefined;
  browserKey: string;
}

/**
 * Hashes the browser's key with the customer, the operation and the chat. So no browser can replay another
 * customer's operation, and a key that a browser uses for two operations gives two upstream keys. The hash
 * contains no secret, because a retry after a restart or a rotation of secrets must repeat the same
 * operation. The result has 43 characters, all of which the Chat API allows in a key. No part can contain a
 * line break, so the joined text is unambiguous.
 */
export function upstreamKey({ userId, operation, chatId = "-", browserKey }: KeyParts): string {
  return hash("sha256", ["v1", userId, operation, chatId, browserKey].join("\n"), "base64url");
}
