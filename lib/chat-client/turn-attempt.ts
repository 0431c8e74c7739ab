/** The events of one attempt at a turn stream, checked for shape and order. */
import type { EventSourceMessage } from "eventsource-parser";
import type { ChatApiError } from "../chat-api/errors.ts";
import type { MessageTurn } from "../chat-api/message.ts";
import { eventStreamType } from "../chat-api/turn-events.ts";
import { contractError, mediaTypeOf, readAnswer } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { toChatApiError } from "./error-answer.ts";
import type { ContractError } from "./errors.ts";
import { createEventDecoder } from "./event-decoder.ts";
import type { ClientSettings } from "./options.ts";
import type { StreamedEvent } from "./parser.ts";

export interface TurnAttempt {
  connection: Connection;
  settings: ClientSettings;
  /** The stream's deadline, by the settings' clock. */
  endsAt: number;
  /** Bytes have arrived. */
  onAlive(): void;
  onEvent(event: StreamedEvent): void;
}

/**
 * Passes the events of a successful response to `onEvent`. Resolves after `done`, and also without it if the
 * stream ended early without an error.
 * @throws ChatApiError for an `error` event, ContractError for a breach of the specification,
 * ChatConnectionError for a broken or silent connection, and whatever `onEvent` throws.
 */
export async function readTurn(attempt: TurnAttempt): Promise<void> {
  const { connection, settings, onEvent } = attempt;
  const type = mediaTypeOf(connection);
  if (type === eventStreamType) {
    await readEvents(attempt);
  } else if (type === "application/json") {
    const parse = (body: unknown) => settings.parse.item("sendMessage", body);
    for (const event of wholeTurn(await readAnswer(connection, settings, parse), connection)) onEvent(event);
  } else {
    throw contractError(connection, "unreadable", "the answer is neither an event stream nor JSON");
  }
}

/** Bytes of a UTF-16 code unit in UTF-8. */
const maxBytesPerUnit = 3;

async function readEvents({ connection, settings, endsAt, onAlive, onEvent }: TurnAttempt): Promise<void> {
  const readEvent = createEventReader(connection, settings);
  // Bytes since the last event. The parser drops lines that are not fields of an event, so it does not limit
  // them.
  let fruitlessBytes = 0;
  let last: EventRead;
  // A terminal event ends the reading. Events before a fault are delivered before the error, so that the
  // result does not depend on the chunks.
  const decoder = createEventDecoder(settings.limits.eventLength, (message) => {
    fruitlessBytes = 0;
    if (last !== undefined) return;
    const event = readEvent(message);
    if (event instanceof Error || event?.type === "done") last = event;
    else if (event !== undefined) onEvent(event);
  });
  await connection.flow(
    (bytes) => {
      onAlive();
      fruitlessBytes += bytes.byteLength;
      decoder.push(bytes);
      if (last !== undefined) return "enough";
      if (decoder.hasOverflowed() || fruitlessBytes > settings.limits.eventLength * maxBytesPerUnit)
        throw contractError(connection, "too_large", "an event is larger than the client's limit");
      return "more";
    },
    () => Math.min(settings.timeouts.idle, endsAt - settings.now()),
  );
  // The response is about to end by itself: aborting it at `done` would keep the connection from serving
  // another request.
  if (last instanceof Error) throw last;
  if (last !== undefined) onEvent(last);
}

/** Undefined for an unknown event. */
type EventRead = StreamedEvent | ChatApiError | ContractError | undefined;

function createEventReader(connection: Connection, settings: ClientSettings) {
  /** Set by the `start` of this attempt. */
  let started = false;

  return (message: EventSourceMessage): EventRead => {
    const type = message.event;
    // Unknown events are for newer clients.
    if (type !== "start" && type !== "delta" && type !== "done" && type !== "error") return undefined;
    const data = parseData(message.data);
    if (data === undefined) return contractError(connection, "shape", `${type} is not JSON`);
    if (type === "error") {
      const { headers } = connection.answer;
      return toChatApiError(data.value, { operation: connection.call.operation, headers });
    }
    if ((type === "start") === started) {
      return contractError(connection, "sequence", `${type} came ${started ? "twice" : "before start"}`);
    }
    started = true;
    const reading = settings.parse.event(type, data.value);
    return "value" in reading
      ? reading.value
      : contractError(connection, "shape", `${type} at ${reading.fault}`);
  };
}

function parseData(data: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(data) };
  } catch {
    // The engine's error quotes the text; the caller describes the fault instead.
    return undefined;
  }
}

/** A peer that ignores `Accept` responds with the whole turn, which becomes the same events. */
function wholeTurn(turn: MessageTurn, connection: Connection): StreamedEvent[] {
  const { message, reply } = turn;
  return [
    {
      type: "start",
      chatId: connection.call.ids.chatId ?? message.chatId,
      requestId: connection.requestId ?? "",
      messageId: message.id,
      replyId: reply?.id ?? null,
    },
    ...(reply === null || reply.text === "" ? [] : [{ type: "delta", text: reply.text } as const]),
    { type: "done", item: turn },
  ];
}
