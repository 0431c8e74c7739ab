import { errorRules } from "../../../lib/chat-api/errors.ts";
import type { Failure } from "../../../lib/engine/failure.ts";
import type { Strings } from "../i18n/language.ts";

export type WaitingReason = keyof Strings["waiting"];

/** Why the next attempt of a request waits. `isFirst`: the request creates the chat. */
export function waitingText({ code }: Failure, isFirst = false): WaitingReason {
  const reason = errorRules[code].repeat?.waitingFor ?? "service";
  if (reason === "connection" && !navigator.onLine) return "offline";
  return reason === "fast" && isFirst ? "newChat" : reason;
}

/** The network, another answer and a file are not back after a known time, whenever the next attempt is. */
export function hasCountdown(reason: WaitingReason): boolean {
  return reason !== "offline" && reason !== "turn" && reason !== "file";
}
