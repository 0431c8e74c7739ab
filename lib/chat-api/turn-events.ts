/**
 * The turn stream: the events of a streamed reply (docs/chat-api.md, "The turn stream"). Free of zod, so that
 * browser code may import it; the schemas are in `turn-event-schemas.ts`.
 */
import type { ErrorBody } from "./errors.ts";
import type { MessageTurn } from "./message.ts";

export interface TurnStart {
  chatId: string;
  requestId: string;
  /** The customer's message. */
  messageId: string;
  /** Null while the chat is with the team. */
  replyId: string | null;
}

/** One `start`, any number of `delta`, then one terminal event: `done` or `error`. */
export type TurnEvent =
  | ({ type: "start" } & TurnStart)
  | { type: "delta"; text: string }
  | { type: "done"; item: MessageTurn }
  | ({ type: "error" } & ErrorBody);

export const eventStreamType = "text/event-stream";

/** A comment line, which keeps the connection open (docs/chat-api.md, "The turn stream"). */
export const keepAliveComment = ": keep-alive\n\n";

/** The event on the wire. JSON has no raw line breaks, so it always fits one `data` line. */
export function encodeTurnEvent(event: TurnEvent): string {
  const { type, ...data } = event;
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Encodes a delta without intermediate objects, because a stream has hundreds of deltas. */
export function encodeDelta(text: string): string {
  return `event: delta\ndata: {"text":${JSON.stringify(text)}}\n\n`;
}

export function isTerminal(event: TurnEvent): boolean {
  return event.type === "done" || event.type === "error";
}
