/** Reads a turn stream (docs/chat-api.md, "The turn stream") with any chunks and line endings. */
import { createParser } from "eventsource-parser";
import type { z } from "zod";
import type { Head, OpenResponse } from "./http.ts";
import { Breach } from "./rules.ts";
import { type MessageTurn, read, turnEvents } from "./shapes.ts";

type Start = z.infer<typeof turnEvents.start>;
type ErrorEvent = z.infer<typeof turnEvents.error>;

export type TurnEvent =
  | { name: "start"; data: Start }
  | { name: "delta"; data: { text: string } }
  | { name: "done"; data: { item: MessageTurn } }
  | { name: "error"; data: ErrorEvent };

const names = ["start", "delta", "done", "error"] as const;

/** One streamed reply. Checks each event's shape and its position in the sequence. */
export class TurnStream {
  readonly head: Head;
  readonly events: TurnEvent[] = [];
  readonly comments: string[] = [];
  /** The raw text of the stream. */
  raw = "";
  readonly #response: OpenResponse;
  readonly #onDone: (turn: MessageTurn) => void;
  readonly #source: AsyncIterator<TurnEvent>;

  /** @param onDone Gets the turn of `done` */
  constructor(response: OpenResponse, exact: boolean, onDone: (turn: MessageTurn) => void) {
    this.#onDone = onDone;
    this.head = { status: response.status, headers: response.headers };
    this.#response = response;
    this.#source = this.#read(exact)[Symbol.asyncIterator]();
  }

  async *#read(exact: boolean): AsyncGenerator<TurnEvent> {
    const parsed: TurnEvent[] = [];
    const parser = createParser({
      onEvent: (event) => {
        const name = names.find((known) => known === event.event);
        if (name === undefined) {
          // A newer channel may send other events.
          if (!exact) return;
          throw new Breach("events.sequence", `unspecified event: ${event.event}`);
        }
        const data: unknown = JSON.parse(event.data);
        parsed.push({ name, data: read(turnEvents[name], data, exact) } as TurnEvent);
      },
      onComment: (comment) => this.comments.push(comment),
    });
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for await (const chunk of this.#response.chunks) {
      const text = decoder.decode(chunk, { stream: true });
      this.raw += text;
      parser.feed(text);
      for (const event of parsed.splice(0)) {
        this.#place(event);
        yield event;
      }
    }
  }

  /** "One `start`, then zero or more `delta`, then exactly one of `done` or `error`." */
  #place(event: TurnEvent): void {
    const before = this.events.at(-1)?.name;
    const allowed = before === undefined ? event.name === "start" : event.name !== "start";
    if (!allowed || before === "done" || before === "error") {
      throw new Breach("events.sequence", `${event.name} after ${before ?? "nothing"}`);
    }
    this.events.push(event);
    if (event.name === "done") this.#onDone(event.data.item);
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<TurnEvent | undefined> {
    const result = await this.#source.next();
    return result.done === true ? undefined : result.value;
  }

  /** Reads until an event of this name. */
  async until(name: TurnEvent["name"]): Promise<TurnEvent> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the stream ended before ${name}`);
      if (event.name === name) return event;
    }
  }

  /** Reads to the end, which must be a terminal event. */
  async all(): Promise<this> {
    while ((await this.next()) !== undefined);
    if (!this.#response.complete()) throw new Error("the stream was cut");
    const last = this.events.at(-1)?.name;
    if (last !== "done" && last !== "error") throw new Error(`the stream ended after ${last ?? "nothing"}`);
    return this;
  }

  /** Reads to the end, even when the stream is cut. */
  async untilCut(): Promise<void> {
    while ((await this.next()) !== undefined);
  }

  close(): void {
    this.#response.close();
  }

  get start(): Start {
    const first = this.events[0];
    if (first?.name !== "start") throw new Error("the stream has no start");
    return first.data;
  }

  get text(): string {
    return this.events.map((event) => (event.name === "delta" ? event.data.text : "")).join("");
  }

  get deltas(): number {
    return this.events.filter((event) => event.name === "delta").length;
  }

  get turn(): MessageTurn {
    const last = this.events.at(-1);
    if (last?.name !== "done") throw new Error(`expected done, got ${JSON.stringify(last)}`);
    return last.data.item;
  }

  get error(): ErrorEvent["error"] {
    const last = this.events.at(-1);
    if (last?.name !== "error") throw new Error(`expected error, got ${JSON.stringify(last)}`);
    return last.data.error;
  }
}
