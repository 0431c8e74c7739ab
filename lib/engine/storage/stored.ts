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

export function stringOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

export function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function numberOr(value: unknown, otherwise: number): number {
  return numberOrNull(value) ?? otherwise;
}

export function parseFailure(value: unknown): Failure | null {
  if (!isRecord(value)) return null;
  const code = stringOr(value["code"], "");
  if (!isFailureCode(code)) return null;
  return failure(code, {
    field: stringOrNull(value["field"]),
    requestId: stringOrNull(value["requestId"]),
    retryAfterSeconds: numberOrNull(value["retryAfterSeconds"]),
    at: numberOrNull(value["at"]),
    isListed: typeof value["isListed"] === "boolean" ? value["isListed"] : null,
    mode: chatModes.find((mode) => mode === value["mode"]) ?? null,
  });
}
