import type { CollectionValue, SubmitCollectionBody } from "../../chat-api/collection.ts";
import { tabStorage } from "../storage/storage.ts";

/** What the customer did with a form. */
export type CollectionAction = SubmitCollectionBody["action"];

const nameOf = (chatId: string | null, requestId: string) => `form-end:${chatId}:${requestId}`;

export function parseAction(value: unknown): CollectionAction | null {
  return value === "save" || value === "skip" || value === "cancel" ? value : null;
}

/** Stores in the tab how the form ended; null while it is open. */
export function keepFormEnd(chatId: string | null, requestId: string, end: CollectionAction | null): void {
  tabStorage.write(nameOf(chatId, requestId), end);
}

/**
 * How a form ended: as this tab remembers it, otherwise as its answers show. Null if neither tells: the Chat
 * API does not say whether a closed form was answered, skipped, cancelled or withdrawn.
 */
export function formEnd(
  chatId: string | null,
  requestId: string,
  answers: readonly (CollectionValue | null)[],
  /** When the form was requested; null if unknown. */
  askedAt: string | null,
): CollectionAction | null {
  const kept = parseAction(tabStorage.read(nameOf(chatId, requestId)));
  if (kept !== null) return kept;
  const isAnswered = answers.some(
    (value) =>
      value?.status === "accepted" &&
      value.actor === "visitor" &&
      (askedAt === null || value.updatedAt >= askedAt),
  );
  return isAnswered ? "save" : null;
}
