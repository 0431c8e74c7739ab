import type { CollectionValue, SubmitCollectionBody } from "../../../lib/chat-api/collection.ts";
import { createTabStorage } from "../runtime/delivery/kept-attempt.ts";

/** How the customer ended a form. */
export type FormEnd = SubmitCollectionBody["action"];

const nameOf = (chatId: string | null, requestId: string) => `form-end:${chatId}:${requestId}`;

export function parseFormEnd(value: unknown): FormEnd | null {
  return value === "save" || value === "skip" || value === "cancel" ? value : null;
}

/** Null for an open form. */
export function keepFormEnd(chatId: string | null, requestId: string, end: FormEnd | null): void {
  createTabStorage().write(nameOf(chatId, requestId), end);
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
): FormEnd | null {
  const kept = parseFormEnd(createTabStorage().read(nameOf(chatId, requestId)));
  if (kept !== null) return kept;
  const isAnswered = answers.some(
    (value) =>
      value?.status === "accepted" &&
      value.actor === "visitor" &&
      (askedAt === null || value.updatedAt >= askedAt),
  );
  return isAnswered ? "save" : null;
}
