/** One line for each request: who asked what and what came of it, never a text, an e-mail address or a key. */
import type { Logger } from "pino";
import type { OperationName } from "#lib/chat-api/operations.ts";

export interface RequestRecord {
  requestId: string;
  method: string;
  path: string;
  operation: OperationName | undefined;
  chatId: string | undefined;
  status: number;
  errorCode: string | undefined;
  /** True where an earlier request with the idempotency key had done it. */
  isReplay: boolean | undefined;
  /** Until the response began: a stream goes on after it. */
  milliseconds: number;
}

export type LogRequest = (record: RequestRecord) => void;

const maxPathLength = 200;

export function createRequestLog(log: Logger): LogRequest {
  return ({ operation, path, milliseconds, ...record }) => {
    log.info(
      {
        ...record,
        // Of a known operation the path tells nothing more; an unknown one is a caller's text.
        ...(operation === undefined ? { path: printable(path) } : { operation }),
        milliseconds: Math.round(milliseconds * 10) / 10,
      },
      "request",
    );
  };
}

/** Text of a caller's in one line of a log: no control characters, no line ends of any kind, no changes of direction. */
export function printable(text: string): string {
  return text
    .slice(0, maxPathLength)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
