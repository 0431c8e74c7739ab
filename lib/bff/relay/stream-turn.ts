/** Sends a message and answers with the turn stream of its reply. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { SendMessageBody } from "#lib/chat-api/message.ts";
import { eventStreamType } from "#lib/chat-api/turn-events.ts";
import type { StreamedEvent } from "#lib/chat-client/client.ts";
import { writeStatus } from "../http/responses.ts";
import type { Call } from "../http/route.ts";
import { bffLimits } from "../limits.ts";
import { relayTurn } from "./turn-relay.ts";

const streamHeaders = {
  "Content-Type": eventStreamType,
  // A proxy that stores the stream, to compress or to buffer it, would hold every delta back.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * Answers once the message is acknowledged (`start`), so that a refusal is a JSON error with its own status.
 * @throws ChatApiError
 */
export async function streamTurn(call: Call<SendMessageBody>): Promise<Response> {
  const { bff, session, chatId, body, key, requestId, note } = call;
  // Aborted with the error to end with, when the process stops or the customer signs out.
  const stop = new AbortController();
  const release = bff.streams.open(session, (error) => stop.abort(error));
  // Aborted when nobody needs the Chat API's stream any more. The turn itself goes on there.
  const letGo = new AbortController();
  try {
    const stream = bff.upstream
      .client(note)
      .streamMessage(chatId, body, { idempotencyKey: key, signal: letGo.signal });
    const events = stream[Symbol.asyncIterator]();
    const first = await firstEvent(events, call.request.signal, stop.signal, letGo);
    const logLater = call.goesOn();
    const relayed = relayTurn({
      events,
      first,
      requestId,
      stop: stop.signal,
      letGo: () => letGo.abort(),
      onFault: (err) =>
        call.log.error({ event: "fault", err }, "A stream failed in a way that nobody foresaw"),
      onEnd(outcome, facts) {
        release();
        note({ outcome, ...facts });
        logLater();
      },
    });
    return new Response(relayed, {
      status: writeStatus("sendMessage", stream.replayed === true),
      headers: streamHeaders,
    });
  } catch (error) {
    letGo.abort();
    release();
    throw error;
  }
}

/**
 * The customer has pressed send: a browser that leaves at once, a tab closed, must not keep the message from being
 * stored. So its leaving counts only after the acknowledgement, or when that takes too long.
 */
async function firstEvent(
  events: AsyncIterator<StreamedEvent>,
  browser: AbortSignal,
  stop: AbortSignal,
  letGo: AbortController,
): Promise<StreamedEvent> {
  let timer: NodeJS.Timeout | undefined;
  const left = () => {
    timer = setTimeout(() => letGo.abort(), bffLimits.detachTime);
  };
  const stopped = () => letGo.abort();
  if (browser.aborted) left();
  browser.addEventListener("abort", left, { once: true });
  stop.addEventListener("abort", stopped, { once: true });
  try {
    const { done, value } = await events.next();
    if (done !== true) return value;
    // A stream whose signal has been aborted ends quietly.
    throw stop.reason instanceof ChatApiError ? stop.reason : new ChatApiError("upstream_unreachable");
  } finally {
    clearTimeout(timer);
    browser.removeEventListener("abort", left);
    stop.removeEventListener("abort", stopped);
  }
}
