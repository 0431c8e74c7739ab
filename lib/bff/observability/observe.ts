/**
 * Events that the chat server tells its observers: the log, metrics, traces and the host. No event contains a
 * customer's text, address or cookie; `facts` of a `log` event may have an `err` of any content.
 */
import type { OperationName } from "../../chat-api/operations.ts";

/** Additional facts of an event. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** `refused`: an answer about one chat or request (`chat_closed`). `failed`: a fault or an overload. */
export type UpstreamResult = "ok" | "refused" | "failed";

export type ChatEvent =
  | { type: "request_started"; requestId: string; route: string }
  /** A response has ended, a stream's too. */
  | {
      type: "request";
      requestId: string;
      route: string;
      method: string;
      status: number;
      milliseconds: number;
      facts: LogFacts;
    }
  /** A request to the Chat API has ended. `outcome` is `ok`, an error code or a kind of failure. */
  | {
      type: "upstream";
      /** The request that caused it; undefined for the readiness check. */
      requestId: string | undefined;
      operation: OperationName;
      outcome: string;
      result: UpstreamResult;
      milliseconds: number;
    }
  | { type: "stream_started"; requestId: string }
  /** `outcome` is `done`, or why the stream ended without its reply. */
  | { type: "stream_ended"; requestId: string; outcome: string }
  /** An event that an operator may have to know (docs/production.md lists the names). */
  | { type: "log"; level: LogEventLevel; facts: LogEventFacts; message?: string | undefined };

export type LogEventLevel = "info" | "warn" | "error";
export type LogEventFacts = Readonly<{ event: string; [fact: string]: unknown }>;

export type Observe = (event: ChatEvent) => void;

/** Tells all of them. One that throws or rejects stops neither the request nor the others. */
export function observeAll(observers: readonly (Observe | undefined)[]): Observe {
  return (event) => {
    for (const observe of observers) {
      try {
        const told: unknown = observe?.(event);
        // The host's may be asynchronous. Node ends the process for a rejection that nobody handles.
        if (told !== undefined) Promise.resolve(told).catch(warn);
      } catch (error) {
        warn(error);
      }
    }
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : new Error("An observer failed"));
}

type WriteLog = (facts: LogEventFacts, message?: string) => void;
export type Logger = Readonly<Record<LogEventLevel, WriteLog>>;

/** Tells events of the type `log`, each with these facts. */
export function loggerOf(observe: Observe, common: LogFacts = {}): Logger {
  const at =
    (level: LogEventLevel): WriteLog =>
    (facts, message) =>
      observe({ type: "log", level, facts: { ...common, ...facts }, message });
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
