/**
 * Parses values from the browser's storage. Other versions of this code, other tabs and people with developer
 * tools also write there, so every value is checked and invalid ones are dropped.
 */
import type { ChatMode } from "../../chat-api/chat.ts";
import { type Failure, failure, isFailureCode } from "../failure.ts";

const chatModes: readonly ChatMode[] = ["agent", "waiting", "teammate", "resolved"];

export function parseJson(stored: string | null): unknown {
  if (stored === null) return null;
  try {
    return JSON.parse(stored);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The fields of `defaults` with the value's contents: those of another type, and missing ones, stay as they
 * are. Null stands for a text or null.
 */
export function fieldsOf<Fields extends object>(value: unknown, defaults: Fields): Fields {
  const stored = isRecord(value) ? value : {};
  const fits = ([name, otherwise]: [string, unknown]) => typeof stored[name] === typeof (otherwise ?? "");
  const found = Object.entries(defaults).filter(fits);
  return { ...defaults, ...Object.fromEntries(found.map(([name]) => [name, stored[name]])) };
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** A finite number, or null. */
function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function parseFailure(value: unknown): Failure | null {
  if (!isRecord(value)) return null;
  const { code, ...texts } = fieldsOf(value, { code: "", field: null, requestId: null });
  if (!isFailureCode(code)) return null;
  return failure(code, {
    ...texts,
    retryAfterSeconds: numberOrNull(value["retryAfterSeconds"]),
    at: numberOrNull(value["at"]),
    isListed: typeof value["isListed"] === "boolean" ? value["isListed"] : null,
    mode: chatModes.find((mode) => mode === value["mode"]) ?? null,
  });
}
