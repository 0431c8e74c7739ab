/**
 * The log: one JSON object to a line (pino). What customers write never goes in: no text, no e-mail, no file name, no
 * cookie, no key. A session appears as a short hash, so that lines of one customer can be put side by side.
 */
import { createHash } from "node:crypto";
import pino from "pino";
import type { Config, LogLevel } from "./env.ts";

export type Logger = pino.Logger;

/** What a request's line may say besides what all of them say. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface LogOptions {
  level: LogLevel;
  /** Never printed, wherever it may turn up. */
  secrets: readonly string[];
  destination?: pino.DestinationStream;
}

/** Characters that JSON leaves raw and that a terminal, a log reader or a person takes for more than text. */
const unsafeInLogs = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** All of the configuration that no line may hold, whatever it is about. */
export function secretsOf({ upstream, sessionSecrets, metricsToken, redisUrl }: Config): string[] {
  const password = redisUrl === undefined ? "" : new URL(redisUrl).password;
  const secrets = [
    upstream.chatKey,
    ...sessionSecrets,
    metricsToken ?? "",
    password,
    decodeURIComponent(password),
  ];
  return secrets.filter((secret) => secret !== "");
}

/** A finished line, with every secret blotted out and no character that could act on its reader. */
export function cleanLine(line: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((text, secret) => text.replaceAll(secret, "[secret]"), line)
    .replace(unsafeInLogs, escapeCharacter);
}

export function createLog({ level, secrets, destination }: LogOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service: "bff" },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: (line) => cleanLine(line, secrets) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The same session gives the same eight characters; nobody gets back from them to the session. */
export function sessionTag(userId: string): string {
  return createHash("sha256").update(`log\n${userId}`).digest("base64url").slice(0, 8);
}
