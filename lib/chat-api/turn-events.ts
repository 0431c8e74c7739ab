/**
 * The turn stream: the events of a streamed reply (docs/chat-api.md, "The turn stream"). Free of zod, so that
 * browser code may import it; the schemas are in `turn-event-schemas.ts`.
 */
import type { z } from "zod";
import type { turnEventSchemas } from "./turn-event-schemas.ts";

type Data = { [Type in keyof typeof turnEventSchemas]: z.output<(typeof turnEventSchemas)[Type]> };
export type TurnStart = Data["start"];

/** One `start`, any number of `delta`, then one terminal event: `done` or `error`. */
export type TurnEvent = { [Type in keyof Data]: { type: Type } & Data[Type] }[keyof Data];

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
