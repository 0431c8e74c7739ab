/** Feedback in the browser's storage: one entry for each message, and one for the chat. */
import { feedbackKinds } from "../../chat-api/feedback.ts";
import type { Given } from "../state/feedback.ts";
import { fieldsOf, isRecord, parseJson } from "../storage/stored.ts";

export interface StoredFeedback extends Given {
  chatId: string;
  /** Idempotency key of the press. */
  key: string;
  /** When the customer pressed, in milliseconds since 1970. */
  at: number;
  /** False once the host has it. */
  isDue: boolean;
  /** The server asked for no attempt before, in milliseconds since 1970. */
  pausedUntil: number;
}

/** Null for an entry that this code has not written. */
export function parseFeedback(name: string, stored: string | null): StoredFeedback | null {
  const value = parseJson(stored);
  if (!isRecord(value)) return null;
  const kind = feedbackKinds.find((known) => known === value["kind"]);
  const [, chatId = "", id = ""] = /^feedback:([^:]+):(.*)$/.exec(name) ?? [];
  const none = { value: 0, comment: "", key: "", at: 0, isDue: false, pausedUntil: 0 };
  const fields = fieldsOf(value, none);
  if (kind === undefined || chatId === "" || fields.key === "") return null;
  return { ...fields, chatId, messageId: kind === "rating" ? null : id, kind };
}
