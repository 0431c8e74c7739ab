import type { OperationIds, OperationName } from "../chat-api/operations.ts";
import { defaultLimits, defaultTimeouts } from "./limits.ts";
import type { ContractParser } from "./parser.ts";
import { plainParser } from "./plain-parser.ts";
import type { Reply } from "./reply.ts";
import type { AttemptInit } from "./request.ts";
import { type Sleep, sleep } from "./retry.ts";
import { createRetryPolicy, type RetryPolicy } from "./retry-policy.ts";

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
