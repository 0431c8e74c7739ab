/** How a reply is split into deltas, and at what pace they are sent. */
import { setTimeout as pause } from "node:timers/promises";
import type { Language } from "./language/languages.ts";
import { segmenters } from "./language/tokens.ts";

/** Waits; resolves early when the signal aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const wordGroupLength = 12;

/** Splits a text at word boundaries into parts of a few words. The parts join to the text. */
export function splitForStreaming(text: string, language: Language): string[] {
  const parts: string[] = [];
  let part = "";
  for (const { segment } of segmenters[language].segment(text)) {
    part += segment;
    if (part.length >= wordGroupLength && /\s$|[^\p{Script=Latin}\p{N}]$/u.test(part)) {
      parts.push(part);
      part = "";
    }
  }
  if (part) parts.push(part);
  return parts;
}

export const sleepWithTimer: Sleep = (milliseconds, signal) =>
  pause(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
