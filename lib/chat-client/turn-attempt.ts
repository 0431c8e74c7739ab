/** The events of one attempt at a turn stream, checked in shape and order. */
import type { EventSourceMessage } from "eventsource-parser";
import type { ChatApiError } from "#lib/chat-api/errors.ts";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { eventStreamType } from "#lib/chat-api/turn-events.ts";
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
  /** When the stream must have ended, by the settings' clock. */
  endsAt: number;
  /** Bytes have arrived. */
  onAlive(): void;
}

/**
 * The events of an answer that is a success, as many at once as arrived together. Ends after `done`, and also without
 * it when the stream was cut cleanly.
 * @throws ChatApiError for an `error` event, ContractError for what the specification
 * excludes, ChatConnectionError for a broken or silent connection.
 */
export async function* readTurn(attempt: TurnAttempt): AsyncGenerator<StreamedEvent[], void, undefined> {
  const { connection, settings } = attempt;
  const type = mediaTypeOf(connection.response);
  if (type === eventStreamType) {
    yield* readEvents(attempt);
  } else if (type === "application/json") {
    const parse = (body: unknown) => settings.parse.item("sendMessage", body);
    yield wholeTurn(await readAnswer(connection, settings, parse), connection);
  } else {
    throw contractError(connection, "unreadable", "the answer is neither an event stream nor JSON");
  }
}

/** Of a UTF-16 code unit in UTF-8. */
const maxBytesPerUnit = 3;

async function* readEvents(attempt: TurnAttempt): AsyncGenerator<StreamedEvent[], void, undefined> {
  const { connection, settings, endsAt, onAlive } = attempt;
  const decoder = createEventDecoder(settings.limits.eventLength);
  const reader = createEventReader(connection, settings);
  // Since the last event. The parser forgets lines that are no field of an event, so it never finds them too long.
  let fruitlessBytes = 0;
  while (true) {
    const piece = await connection.read(Math.min(settings.timeouts.idle, endsAt - settings.now()));
    if (piece === undefined) return;
    onAlive();
    const messages = decoder.push(piece);
    fruitlessBytes = messages.length > 0 ? 0 : fruitlessBytes + piece.byteLength;
    const { events, end } = reader.read(messages);
    // A terminal event is the last thing of interest. What came before a fault is shown before the fault is, so that
    // what is seen does not depend on how the bytes were packed.
    if (end !== undefined) void connection.drain();
    if (events.length > 0) yield events;
    if (end === "done") return;
    if (end !== undefined) throw end;
    if (decoder.overflowed || fruitlessBytes > settings.limits.eventLength * maxBytesPerUnit)
      throw contractError(connection, "too_large", "an event is larger than the client's limit");
  }
}

interface ReadEvents {
  events: StreamedEvent[];
  /** `done` is the last of the events, or an error follows them. */
  end: "done" | ChatApiError | ContractError | undefined;
}

function createEventReader(connection: Connection, settings: ClientSettings) {
  /** Set by the `start` of this attempt. */
  let started = false;

  function readOne(message: EventSourceMessage): StreamedEvent | ChatApiError | ContractError | undefined {
    const type = message.event;
    // Unknown events are for newer clients.
    if (type !== "start" && type !== "delta" && type !== "done" && type !== "error") return undefined;
    const data = parseData(message.data);
    if (data === undefined) return contractError(connection, "shape", `${type} is not JSON`);
    if (type === "error") {
      const { headers } = connection.response;
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
  }

  return {
    read(messages: EventSourceMessage[]): ReadEvents {
      const events: StreamedEvent[] = [];
      for (const message of messages) {
        const event = readOne(message);
        if (event === undefined) continue;
        if (event instanceof Error) return { events, end: event };
        events.push(event);
        if (event.type === "done") return { events, end: "done" };
      }
      return { events, end: undefined };
    },
  };
}

function parseData(data: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(data) };
  } catch {
    // The engine's error quotes the text; the caller says what is wrong.
    return undefined;
  }
}

/** A peer that ignores `Accept` answers with the whole turn: the same turn as a stream. */
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
