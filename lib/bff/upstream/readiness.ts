/** Checks whether the Chat API would serve a customer now, by reading a chat that does not exist. */
import { ChatApiError, responseOf } from "../../chat-api/errors.ts";
import type { Logger } from "../observability/observe.ts";
import { unspecifiedRemedy } from "./operator-errors.ts";
import type { Upstream } from "./upstream.ts";

/** "No such chat" proves that the address, the channel and the key are right and the agent is published. */
const unknownChatId = "readiness-check";

/** How long a result is shared. Load balancers check every few seconds, from several places. */
const freshTime = 5_000;

const passing =
  "It should pass by itself. If it does not, report it to the Chat API's provider with the request ID.";

export function createReadiness(upstream: Upstream, log: Logger, clock: () => number = Date.now) {
  // The latest check, shared while it is fresh.
  let last: { at: number; result: Promise<boolean> } | undefined;

  async function ask(): Promise<boolean> {
    try {
      await upstream.client().getChat(unknownChatId);
    } catch (error) {
      if (!(error instanceof ChatApiError)) throw error;
      if (error.code === "chat_not_found" || error.code === "rate_limited") return true;
      // Errors that customers do not see were logged with their remedy when they were translated.
      if (error.cause instanceof ChatApiError && responseOf(error.cause.code).relay === "pass")
        explain(error.cause);
      return false;
    }
    return true;
  }

  function explain({ code, requestId: upstreamRequestId, unspecified, message }: ChatApiError) {
    log.warn(
      { event: "not_ready", code, upstreamRequestId },
      unspecified ? unspecifiedRemedy(message, undefined) : `The Chat API answers ${code}. ${passing}`,
    );
  }

  return {
    check() {
      if (last === undefined || clock() - last.at >= freshTime) last = { at: clock(), result: ask() };
      return last.result;
    },
  };
}
