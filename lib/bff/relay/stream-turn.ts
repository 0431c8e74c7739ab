/** Sends a message and answers with the turn stream of its reply. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { limits } from "../../chat-api/limits.ts";
import type { SendMessageBody } from "../../chat-api/message.ts";
import { eventStreamType } from "../../chat-api/turn-events.ts";
import { bffLimits } from "../configuration/limits.ts";
import { writeStatus } from "../http/responses.ts";
import type { OperationCall } from "../http/route.ts";
import type { Slot } from "../limits/slots.ts";
import type { ChatResponse } from "../transport/chat-response.ts";
import { TurnRelay } from "./turn-relay.ts";

/** One reason for all streams, because an abort without a reason creates an exception with a stack trace. */
const unneeded = new Error("The Chat API's stream is no longer needed");

export const streamHeaders = {
  "Content-Type": eventStreamType,
  // A proxy that compresses or buffers the stream would delay every delta.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * Responds when the message is acknowledged (`start`), so that an earlier error is a JSON error with its own
 * status. If `start` takes long after the Chat API has accepted the request, the response begins with
 * comments, because a browser takes long silence for a lost connection.
 * @throws ChatApiError
 */
export async function streamTurn(call: OperationCall<"sendMessage", SendMessageBody>): Promise<ChatResponse> {
  const { bff, chatId, body, key, requestId, note } = call;
  const browser = call.request.signal;
  // Aborted when nobody needs the Chat API's stream any more. The turn itself continues there.
  const upstreamAbort = new AbortController();
  /** Set once the response begins. */
  let relay: TurnRelay | undefined;
  // The error to end the stream with, if the process stops or a guest has signed in.
  let stopReason: ChatApiError | undefined;
  const slot = bff.streams.open(call, (error) => {
    stopReason = error;
    if (relay === undefined) upstreamAbort.abort(unneeded);
    else relay.fail(error);
  });
  const waiting = watchWaitingBrowser(browser, slot, upstreamAbort);
  let slowStart: NodeJS.Timeout | undefined;

  function begin(): TurnRelay {
    waiting.stop();
    clearInterval(slowStart);
    browser.throwIfAborted();
    const logLater = call.deferLog();
    return new TurnRelay({
      requestId,
      browser,
      checkCaller: bff.identity.watch(call.request, call.session),
      abortUpstream: () => upstreamAbort.abort(unneeded),
      onUnexpectedError: (err) =>
        call.log().error({ event: "unexpected_error", err }, "Unexpected error in a stream"),
      onEnd(outcome, facts) {
        slot.release();
        bff.metrics.countStream(outcome);
        note({ outcome, ...facts });
        // Node sends the first and the last bytes at the next tick, and the line would delay them.
        process.nextTick(logLater);
      },
    });
  }

  try {
    const stream = call.upstream.streamMessage(chatId, body, {
      idempotencyKey: key,
      signal: upstreamAbort.signal,
    });
    const begun = await new Promise<TurnRelay>((resolve, reject) => {
      slowStart = setInterval(() => {
        if (stream.replayed() === undefined || browser.aborted) return;
        relay = begin();
        relay.keepAlive();
        resolve(relay);
      }, limits.keepAliveInterval);
      stream
        .read((event) => {
          if (relay === undefined) {
            relay = begin();
            resolve(relay);
          }
          relay.send(event);
        })
        .then(() => {
          if (relay?.isDecided) return;
          // The stream ended without `done`, because a stream whose signal is aborted ends without an error.
          throw (
            stopReason ?? new ChatApiError(relay === undefined ? "upstream_unreachable" : "internal_error")
          );
        })
        .catch((error: unknown) => {
          if (relay === undefined) reject(error);
          else relay.fail(error);
        });
    });
    const status = writeStatus("sendMessage", stream.replayed() === true);
    return { status, headers: streamHeaders, body: begun };
  } catch (error) {
    waiting.stop();
    clearInterval(slowStart);
    upstreamAbort.abort(unneeded);
    slot.release();
    throw error;
  }
}

/**
 * Watches for a disconnect before the acknowledgement. The customer has pressed Send, so a tab that is closed
 * at once must not keep the message from being stored: the request is aborted only if the acknowledgement
 * takes too long.
 */
function watchWaitingBrowser(
  browser: AbortSignal,
  slot: Slot,
  upstreamAbort: AbortController,
): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const onLeave = () => {
    slot.leave();
    timer = setTimeout(() => upstreamAbort.abort(unneeded), bffLimits.detachTime);
  };
  if (browser.aborted) onLeave();
  browser.addEventListener("abort", onLeave, { once: true });
  return {
    stop() {
      clearTimeout(timer);
      browser.removeEventListener("abort", onLeave);
    },
  };
}
