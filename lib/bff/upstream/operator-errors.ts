/**
 * Errors that the shop's operator must act on. The customer is told that the chat is not available. The
 * operator gets a log line with the remedy, repeated now and then, and a failing readiness check. The plan's
 * limit of chats is only logged.
 */
import type { ChatApiError, ErrorCode, HiddenErrorCode } from "../../chat-api/errors.ts";
import type { Logger } from "../observability/observe.ts";
import { unspecifiedRemedy } from "./remedies.ts";

/** Advice by the code of the Chat API, which the log line names. */
export const operatorRemedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_api_key:
    "The chat key is wrong, was replaced, or is not of the agent that CHAT_CHANNEL_KEY names. Create one in that agent's settings (Advanced, Chat key), set CHAT_KEY, restart.",
  origin_not_allowed:
    "Something between the BFF and the Chat API adds an Origin header. Remove it from the outgoing proxy.",
  channel_disabled: "The agent is not published. Publish it; nothing needs a restart.",
  workspace_suspended: "The workspace is suspended. Ask the Chat API's provider; nothing needs a restart.",
  not_found: "The Chat API knows no such path. Set CHAT_BASE_URL to its address, without /v1, and restart.",
} satisfies Record<HiddenErrorCode, string>;

const minute = 60_000;
const hour = 60 * minute;

export type OperatorErrors = ReturnType<typeof createOperatorErrors>;

export function createOperatorErrors(log: Logger, clock: () => number = Date.now) {
  /** Undefined while the Chat API serves the shop. */
  let current: ErrorCode | undefined;
  // When each code was last logged. An error recurs with every request, so it is logged once per interval.
  const writtenAt = new Map<ErrorCode, number>();

  function once(code: ErrorCode, interval: number, write: () => void) {
    if (clock() - (writtenAt.get(code) ?? Number.NEGATIVE_INFINITY) < interval) return;
    writtenAt.set(code, clock());
    write();
  }

  return {
    report({ code, requestId: upstreamRequestId, unspecified, message }: ChatApiError) {
      current = code;
      const remedy = operatorRemedies[code] ?? "The chat cannot be served.";
      once(code, minute, () =>
        log.error(
          { event: "operator_error", code, upstreamRequestId },
          unspecified ? unspecifiedRemedy(message, remedy) : remedy,
        ),
      );
    },
    reportPlanLimit() {
      once("chat_limit_reached", hour, () =>
        log.error(
          { event: "operator_error", code: "chat_limit_reached" },
          "The plan's limit of chats is reached: customers cannot start new ones. Raise the plan.",
        ),
      );
    },
    /** Called after a response which proves that the Chat API serves the shop. */
    clear() {
      if (current === undefined) return;
      log.info({ event: "operator_error_over", code: current });
      writtenAt.delete(current);
      current = undefined;
    },
  };
}
