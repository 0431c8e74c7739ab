import type { OperationIds, OperationName } from "../chat-api/operations.ts";
import { type ContractParser, plainParser } from "./parser.ts";
import type { AttemptInit, Reply } from "./request.ts";
import { createRetryPolicy, type RetryPolicy, type Sleep, sleep } from "./retry.ts";

export interface ChatClientOptions {
  /** The operation's URL: base, prefix and `operationPath(operation, ids)`. The IDs have been validated. */
  url(operation: OperationName, ids: OperationIds): URL | string;
  /** The credential and other headers, requested before every attempt. */
  headers(operation: OperationName): HeadersInit | Promise<HeadersInit>;
  /** Replaces the platform's. */
  fetch?: ((address: string, init: AttemptInit) => Promise<Reply>) | undefined;
  /** Absent in browsers, which check only the outline of responses. Servers pass `contractParser`. */
  parse?: ContractParser | undefined;
  /** Accepts `start` again in a stream: the BFF sends it when the agent answers anew, the Chat API never. */
  mayRestart?: boolean | undefined;
  retry?: RetryPolicy | undefined;
  timeouts?: Partial<typeof defaultTimeouts> | undefined;
  limits?: Partial<typeof defaultLimits> | undefined;
  /** How the client waits between attempts. */
  sleep?: Sleep | undefined;
  /** The jitter: at least 0, less than 1. */
  random?: (() => number) | undefined;
  /** A monotonic clock, in milliseconds. */
  now?: (() => number) | undefined;
}

/** The options with all defaults. */
export type ClientSettings = ReturnType<typeof withDefaults>;

export function withDefaults(options: ChatClientOptions) {
  return {
    url: options.url,
    headers: options.headers,
    // Looked up at each call: a browser's fetch throws when called as another object's method.
    fetch:
      options.fetch ??
      ((address: string, init: AttemptInit): Promise<Reply> => globalThis.fetch(address, init)),
    parse: options.parse ?? plainParser,
    mayRestart: options.mayRestart ?? false,
    retry: options.retry ?? createRetryPolicy(),
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    limits: { ...defaultLimits, ...options.limits },
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    now: options.now ?? (() => performance.now()),
  };
}

const second = 1000;
const minute = 60 * second;
const mebibyte = 1024 * 1024;

/** Milliseconds. */
export const defaultTimeouts = {
  /** Time from sending to the first byte of the response, including the connection. */
  headers: 30 * second,
  /** Time from sending to the last byte of a JSON response. */
  json: minute,
  /** Replaces `headers` and `json` for an upload, whose bytes must be sent first. */
  upload: 5 * minute,
  /** Time between two chunks of a turn stream or a file: the time of three keep-alive comments. */
  idle: 45 * second,
  /** A turn stream as a whole, with its retries. */
  stream: 15 * minute,
};

/** Counted after decompression: a small response can expand to a huge one. */
export const defaultLimits = {
  jsonBytes: 4 * mebibyte,
  /** UTF-16 code units of one event. It also limits a reply's text, because `done` has all of it. */
  eventLength: mebibyte,
  fileBytes: 4 * mebibyte,
};
