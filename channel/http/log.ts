/** The channel's log, and its line for each request: without texts, email addresses and keys. */
import pino, { type Logger } from "pino";
import type { OperationName } from "#lib/chat-api/operations.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Lines are written at once. Once the reader of standard output has gone away (EPIPE), pino drops them; lines
 * that waited in a buffer would make it retry forever when the process exits.
 */
export function createLog(level: string): pino.Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, pino.destination({ dest: 1, sync: true }));
}

export interface RequestRecord {
  requestId: string;
  method: string;
  path: string;
  operation: OperationName | undefined;
  chatId: string | undefined;
  status: number;
  errorCode: string | undefined;
  /** True for a replay. */
  isReplay: boolean | undefined;
  /** The kind of the lab's fault that it met. */
  fault: string | undefined;
  /** Time until the response began; a stream continues after that. */
  milliseconds: number;
  /** While the lab is on: the request and the response as they were sent. Never logged. */
  exchange?: Exchange;
}

export type LogRequest = (record: RequestRecord) => void;

const maxPathLength = 200;

export function createRequestLog(log: Logger): LogRequest {
  return ({ operation, path, milliseconds, exchange: _, ...record }) => {
    log.info(
      {
        ...record,
        // A known operation needs no path; an unknown path is caller input.
        ...(operation === undefined ? { path: printable(path) } : { operation }),
        milliseconds: Math.round(milliseconds * 10) / 10,
      },
      "request",
    );
  };
}

/** Makes caller input safe for one log line: no control characters, line breaks or bidi controls. */
export function printable(text: string): string {
  return text
    .slice(0, maxPathLength)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
