import type { Failure } from "../../../lib/engine/failure.ts";
import type { Strings } from "../i18n/language.ts";

export type WaitingReason = keyof Strings["waiting"];

/** Why the next attempt of a request waits. `isFirst`: the request creates the chat. */
export function waitingText({ code }: Failure, isFirst = false): WaitingReason {
  switch (code) {
    case "turn_in_progress":
      return "turn";
    case "file_not_ready":
      return "file";
    case "rate_limited":
      return isFirst ? "newChat" : "fast";
    case "capacity_limited":
    case "chat_limit_reached":
      return "busy";
    case "connection_lost":
    case "upstream_unreachable":
      return navigator.onLine ? "connection" : "offline";
    case "not_loaded":
      return navigator.onLine ? "service" : "offline";
    default:
      return "service";
  }
}

/** The network, another answer and a file are not back after a known time, whenever the next attempt is. */
export function hasCountdown(reason: WaitingReason): boolean {
  return reason !== "offline" && reason !== "turn" && reason !== "file";
}
