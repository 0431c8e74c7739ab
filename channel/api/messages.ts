/** Send a message (as JSON and as a stream), list messages. */

import { bodyOfError, ChatApiError } from "#lib/chat-api/errors.ts";
import { ListMessagesQuery } from "#lib/chat-api/operations/list-messages.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { parseRequest, wantsEventStream } from "#lib/chat-api/parse-request.ts";
import { eventStreamType, type TurnEvent } from "#lib/chat-api/turn-events.ts";
import { waits } from "../channel-limits.ts";
import type { Core } from "../core.ts";
import { asChatApiError, created, json } from "../http/responses.ts";
import { listMessages } from "../messages/list-messages.ts";
import { type SentMessage, sendMessage, type TurnRequestDeps } from "../turns/send-message.ts";
import { turnEnd, watchTurn } from "../turns/watch-turn.ts";
import { turnStreamResponse } from "./encode-turn-stream.ts";
import { type Call, type Handler, jsonWrite } from "./route.ts";

type MessageDeps = Core & TurnRequestDeps;

export function messageHandlers(deps: MessageDeps) {
  return {
    sendMessage: jsonWrite(
      "sendMessage",
      async (call, isStreamed = false) => {
        const sent = await sendMessage(deps, call.write, call.body, call.settings, isStreamed);
        return isStreamed ? streamTurn(deps, call, sent) : respondWithTurn(deps, sent);
      },
      { beforeBody: wantsStream, defaults: { text: "" } },
    ),

    async listMessages(call) {
      const { limit, cursor } = pageQuery(new URL(call.request.url).searchParams);
      const { cursorSecret, expiredCursorSecret } = call.settings;
      const cursors = { secret: cursorSecret, expiredSecret: expiredCursorSecret };
      const page = await listMessages(
        { sql: deps.database.sql, clock: deps.clock, cursors },
        { channelKey: call.channelKey, chatId: call.chatId, limit, cursor, lengths: call.settings.limits },
      );
      return json(200, page);
    },
  } satisfies Partial<Record<OperationName, Handler>>;
}

const streamRanges = [eventStreamType, "text/*", "*/*"];

/** @throws ChatApiError `unsupported_accept`, `unsupported_resume` */
function wantsStream({ headers }: Request): boolean {
  const isWanted = wantsEventStream(headers.get("accept"), streamRanges);
  if (headers.has("last-event-id")) throw new ChatApiError("unsupported_resume");
  return isWanted;
}

async function respondWithTurn(deps: MessageDeps, sent: SentMessage): Promise<Response> {
  const wait = sent.isFirst ? waits.firstResponse : waits.attachedResponse;
  const outcome = await turnEnd(deps, sent.operationId, wait);
  if (outcome === undefined) throw new ChatApiError("service_unavailable");
  if (outcome.state === "failed") throw outcome.error;
  return created(outcome.turn, !sent.isFirst);
}

function streamTurn(deps: MessageDeps, call: Call, sent: SentMessage): Response {
  const disconnected = new AbortController();
  const events = turnEvents(deps, call, sent, disconnected.signal);
  return turnStreamResponse(sent.isFirst ? 201 : 200, events, {
    onLeave: () => disconnected.abort(),
    reach: deps.reach,
    keepAliveInterval: call.settings.limits.keepAliveInterval,
  });
}

async function* turnEvents(
  deps: MessageDeps,
  call: Call,
  sent: SentMessage,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void, undefined> {
  const { context, chatId } = call;
  const requestId = context.get("requestId");
  yield { type: "start", chatId, requestId, messageId: sent.messageId, replyId: sent.replyId };
  deps.reach("after-start");
  try {
    for await (const update of watchTurn(deps, sent.operationId, signal)) {
      if (update.type === "delta") yield update;
      else if (update.outcome.state === "failed") throw update.outcome.error;
      else if (update.outcome.turn !== null) yield { type: "done", item: update.outcome.turn };
    }
  } catch (error) {
    if (!(error instanceof ChatApiError)) deps.report(`stream ${requestId}`, error);
    yield { type: "error", ...bodyOfError(asChatApiError(error, "sendMessage"), requestId) };
  }
}

/** Reads the page parameters. A repeated parameter is ambiguous and is refused. */
function pageQuery(parameters: URLSearchParams): ListMessagesQuery {
  const [limits, cursors] = [parameters.getAll("limit"), parameters.getAll("cursor")];
  const sent = limits.length === 0 ? {} : { limit: limits.join() };
  const { limit } = parseRequest(ListMessagesQuery.pick({ limit: true }), sent);
  if (cursors.length > 1) throw new ChatApiError("invalid_cursor", { field: "/cursor" });
  return { limit, cursor: cursors[0] };
}
