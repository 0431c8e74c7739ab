/** Content negotiation of a message: JSON or a turn stream (docs/chat-api.md, "The turn stream"). */
import { ChatApiError } from "./errors.ts";
import { eventStreamType } from "./turn-events.ts";

interface Range {
  name: string;
  quality: number;
}

/**
 * True for a turn stream, false for JSON. A wildcard that matches both means JSON.
 * @param streamRanges The ranges that may select a stream, the most precise first.
 * @throws ChatApiError `unsupported_accept` if neither is acceptable
 */
export function wantsEventStream(accept: string | null, streamRanges = [eventStreamType]): boolean {
  const ranges = (accept?.trim() || "*/*").split(",").flatMap((text) => parseRange(text) ?? []);
  const json = mostPrecise(ranges, ["application/json", "application/*", "*/*"]);
  const stream = mostPrecise(ranges, streamRanges);
  if (json.quality === 0 && stream.quality === 0) throw new ChatApiError("unsupported_accept");
  return stream.quality === json.quality ? stream.name !== "*/*" : stream.quality > json.quality;
}

/** Undefined for a range whose quality cannot be read. */
function parseRange(text: string): Range | undefined {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "") ?? "1";
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality)
    ? { name, quality: Number(quality) }
    : undefined;
}

function mostPrecise(ranges: readonly Range[], names: readonly string[]): Range {
  const matching = names.flatMap((name) => ranges.find((range) => range.name === name) ?? []);
  return matching[0] ?? { name: "", quality: 0 };
}
