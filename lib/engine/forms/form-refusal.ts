import { askedUntil, type Failure } from "../failure.ts";
import { tabStorage } from "../storage/storage.ts";
import { isRecord, parseFailure, parseJson } from "../storage/stored.ts";
import { type CollectionAction, parseAction } from "./form-end.ts";

export interface FormRefusal {
  action: CollectionAction;
  failure: Failure;
}

const nameOf = (chatId: string | null, requestId: string) => `form-refusal:${chatId}:${requestId}`;

/**
 * Keeps a refused submission in the tab in two cases: the server asked for a wait, which a reload must not
 * shorten, or it called the chat closed, which hides the form until the chat turns out to be open. Null
 * removes the submission.
 */
export function keepFormRefusal(chatId: string | null, requestId: string, refusal: FormRefusal | null): void {
  const isKept =
    refusal !== null && (askedUntil(refusal.failure) !== null || refusal.failure.code === "chat_closed");
  tabStorage.write(nameOf(chatId, requestId), isKept ? JSON.stringify(refusal) : null);
}

/** The kept submission; null if there is none or its wait is over. */
export function formRefusal(chatId: string | null, requestId: string): FormRefusal | null {
  const kept = parseJson(tabStorage.read(nameOf(chatId, requestId)));
  if (!isRecord(kept)) return null;
  const [action, failure] = [parseAction(kept["action"]), parseFailure(kept["failure"])];
  if (action === null || failure === null) return null;
  const until = askedUntil(failure);
  return until === null || until > Date.now() ? { action, failure } : null;
}
