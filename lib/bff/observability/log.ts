/**
 * The log: one JSON object per line (pino). The BFF logs nothing that customers write: no text, email
 * address, file name, cookie or key. A session appears as a short tag (`session/caller-tags.ts`).
 */
import { format } from "node:util";
// Bundlers of Workers would take the package's build for browsers.
import pino from "pino/pino.js";
import type { Config, LogLevel } from "../configuration/env.ts";
import { isWorkers } from "../configuration/runtime.ts";
import type { Logger, Observe } from "./observe.ts";

/** Receives a line with its line break. */
export interface LogDestination {
  write(line: string): void;
}

export interface LogOptions {
  level: LogLevel;
  /** The chat server's base path, in each line: a process may have several chat servers. */
  basePath?: string | undefined;
  /** Secrets, which are redacted wherever they appear. */
  secrets: readonly string[];
  destination?: LogDestination | undefined;
}

/** Characters that JSON leaves unescaped and that a terminal or a log viewer may interpret. */
const unsafeInLogs = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Every configured value that must not appear in a line, as it is and as JSON spells it. */
export function secretsOf({ upstream, sessionSecrets, metricsToken, redisUrl }: Config): string[] {
  const password = redisUrl === undefined ? "" : new URL(redisUrl).password;
  const secrets = [
    upstream.chatKey,
    ...sessionSecrets,
    metricsToken ?? "",
    password,
    decodeURIComponent(password),
  ];
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(spellings)].filter((secret) => secret !== "");
}

/** A finished line with secrets redacted and control characters escaped. */
export function cleanLine(line: string, secrets: readonly string[]): string {
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, "[secret]"), line)
    .replace(unsafeInLogs, escapeCharacter);
}

/** Writes a line for each request, and for what an operator may have to know. */
export function observeInto(log: Logger): Observe {
  return (event) => {
    if (event.type === "log") log[event.level](event.facts, event.message);
    if (event.type !== "request") return;
    const { requestId, route, method, status, facts, milliseconds } = event;
    log.info({ event: "request", requestId, route, method, status, ...facts, milliseconds });
  };
}

export function createLog({ level, basePath, secrets, destination }: LogOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service: "bff", chat: basePath },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: (line) => cleanLine(line, secrets) },
  };
  // Written at once: no line is lost, however the process ends.
  // A Worker has no file descriptors.
  const output = isWorkers ? process.stdout : pino.destination({ dest: 1, sync: true });
  return pino(options, destination ?? output);
}

/**
 * Makes one line of the log of each call of `console.error` and `console.warn`: Next and other libraries
 * write errors there with whatever a caller sent.
 */
export function logConsole(log: Logger): void {
  Object.assign(console, {
    error: (...args: unknown[]) => log.error({ event: "console" }, format(...args)),
    warn: (...args: unknown[]) => log.warn({ event: "console" }, format(...args)),
  });
}
