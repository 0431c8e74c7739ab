import type { OperationIds, OperationName } from "#lib/chat-api/operations.ts";
import { type ClientLimits, type ClientTimeouts, defaultLimits, defaultTimeouts } from "./limits.ts";
import type { ContractParser } from "./parser.ts";
import { plainParser } from "./plain-parser.ts";
import { createRetryPolicy, type RetryPolicy } from "./retry-policy.ts";
import { type Sleep, sleep } from "./sleep.ts";

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface ChatClientOptions {
  /** The operation's address: base, prefix and `operationPath(operation, ids)`. The IDs have been checked. */
  url(operation: OperationName, ids: OperationIds): URL | string;
  /** The credential and the like, asked for before every attempt. */
  headers(operation: OperationName): HeadersInit | Promise<HeadersInit>;
  fetch?: Fetch | undefined;
  /** Absent in browsers: the outline of answers is checked. Servers pass `contractParser`. */
  parse?: ContractParser | undefined;
  retry?: RetryPolicy | undefined;
  timeouts?: Partial<ClientTimeouts> | undefined;
  limits?: Partial<ClientLimits> | undefined;
  /** How the client waits between attempts. */
  sleep?: Sleep | undefined;
  /** At least 0, less than 1: the jitter. */
  random?: (() => number) | undefined;
  /** A clock that never goes back, in milliseconds. */
  now?: (() => number) | undefined;
}

/** The options with every default filled in. */
export interface ClientSettings {
  url: ChatClientOptions["url"];
  headers: ChatClientOptions["headers"];
  fetch: Fetch;
  parse: ContractParser;
  retry: RetryPolicy;
  timeouts: ClientTimeouts;
  limits: ClientLimits;
  sleep: Sleep;
  random: () => number;
  now: () => number;
}

export function withDefaults(options: ChatClientOptions): ClientSettings {
  return {
    url: options.url,
    headers: options.headers,
    // Looked up at each call: a browser's fetch refuses to be called as another object's method.
    fetch: options.fetch ?? ((address, init) => globalThis.fetch(address, init)),
    parse: options.parse ?? plainParser,
    retry: options.retry ?? createRetryPolicy(),
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    limits: { ...defaultLimits, ...options.limits },
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    now: options.now ?? (() => performance.now()),
  };
}
