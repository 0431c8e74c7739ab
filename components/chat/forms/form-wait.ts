import { parseFailure } from "../../../lib/conversation/delivery/outbox.ts";
import { isRecord, parseJson } from "../../../lib/conversation/delivery/stored.ts";
import { askedUntil, type Failure } from "../../../lib/conversation/failure.ts";
import { createTabStorage } from "../runtime/delivery/kept-attempt.ts";
import { type FormEnd, parseFormEnd } from "./form-end.ts";

/** A submission that the server asked to send again later. */
export interface FormWait {
  action: FormEnd;
  failure: Failure;
}

const nameOf = (chatId: string | null, requestId: string) => `form-wait:${chatId}:${requestId}`;

/** Kept in the tab while the server's `Retry-After` runs: a reload does not shorten it. Null removes it. */
export function keepFormWait(chatId: string | null, requestId: string, wait: FormWait | null): void {
  const isTimed = wait !== null && askedUntil(wait.failure) !== null;
  createTabStorage().write(nameOf(chatId, requestId), isTimed ? JSON.stringify(wait) : null);
}

export function formWait(chatId: string | null, requestId: string): FormWait | null {
  const kept = parseJson(createTabStorage().read(nameOf(chatId, requestId)));
  if (!isRecord(kept)) return null;
  const [action, failure] = [parseFormEnd(kept["action"]), parseFailure(kept["failure"])];
  if (action === null || failure === null) return null;
  return (askedUntil(failure) ?? 0) > Date.now() ? { action, failure } : null;
}
