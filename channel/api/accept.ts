/** Content negotiation for sendMessage: JSON or an event stream (docs/chat-api.md, "The turn stream"). */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { eventStreamType } from "#lib/chat-api/turn-events.ts";

interface Weight {
  quality: number;
  /** 0: not named, 1: by any range, 2: by its type, 3: by its full name. */
  precision: 0 | 1 | 2 | 3;
}

/**
 * Chooses the response format. A wildcard that covers both formats means JSON: a stream must be asked for by
 * name.
 *
 * @throws ChatApiError `unsupported_accept`
 */
export function negotiate(accept: string | null): "json" | "stream" {
  if (accept === null || accept.trim() === "") return "json";
  const ranges = accept.split(",").map(parseRange);
  const json = weightOf("application", "json", ranges);
  const stream = weightOf("text", "event-stream", ranges);
  if (json.quality === 0 && stream.quality === 0) {
    throw new ChatApiError("unsupported_accept", {
      message: `Accept must allow application/json or ${eventStreamType}.`,
    });
  }
  if (stream.quality !== json.quality) return stream.quality > json.quality ? "stream" : "json";
  return stream.precision > 1 ? "stream" : "json";
}

interface Range {
  type: string;
  subtype: string;
  quality: number;
}

function parseRange(text: string): Range | undefined {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const range = /^([^\s/]+)\/([^\s/]+)$/.exec(name);
  const [, type, subtype] = range ?? [];
  if (type === undefined || subtype === undefined) return undefined;
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  const quality = weight === undefined ? 1 : qualityOf(weight);
  return quality === undefined ? undefined : { type, subtype, quality };
}

function qualityOf(weight: string): number | undefined {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : undefined;
}

/** The most precise range decides. */
function weightOf(type: string, subtype: string, ranges: readonly (Range | undefined)[]): Weight {
  let best: Weight = { quality: 0, precision: 0 };
  for (const range of ranges) {
    const precision = range === undefined ? 0 : precisionOf(range, type, subtype);
    if (range !== undefined && precision > best.precision) best = { quality: range.quality, precision };
  }
  return best;
}

function precisionOf(range: Range, type: string, subtype: string): Weight["precision"] {
  if (range.type === type && range.subtype === subtype) return 3;
  if (range.type === type && range.subtype === "*") return 2;
  return range.type === "*" && range.subtype === "*" ? 1 : 0;
}
