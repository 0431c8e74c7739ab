import type { Failure } from "../../../lib/conversation/failure.ts";
import type { ShellStrings } from "../i18n/languages.ts";

/** Why the next attempt of a request waits. */
export function waitingText({ code }: Failure): keyof ShellStrings["waiting"] {
  switch (code) {
    case "turn_in_progress":
      return "turn";
    case "file_not_ready":
      return "file";
    case "rate_limited":
      return "fast";
    case "capacity_limited":
    case "chat_limit_reached":
      return "busy";
    case "connection_lost":
    case "upstream_unreachable":
      return navigator.onLine ? "connection" : "offline";
    default:
      return "service";
  }
}
