/** Reads the `Accept` header (docs/chat-api.md, "The turn stream"; RFC 9110, section 12.5.1). */
import { ChatApiError } from "../../chat-api/errors.ts";
import { eventStreamType } from "../../chat-api/turn-events.ts";

interface Range {
  type: string;
  quality: number;
}

function readRanges(accept: string): Range[] {
  return accept.split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter));
    return { type, quality: quality === undefined ? 1 : Number(quality.replace(/^q\s*=\s*/, "")) };
  });
}

/** The most specific range that matches decides. */
function qualityOf(ranges: readonly Range[], names: readonly string[]): number {
  for (const name of names) {
    const range = ranges.find(({ type }) => type === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/**
 * True for a turn stream, false for JSON. A stream must be requested by name.
 * @throws ChatApiError `unsupported_accept` if neither is acceptable.
 */
export function wantsEventStream(accept: string | null): boolean {
  const ranges = readRanges(accept?.trim() || "*/*");
  const stream = qualityOf(ranges, [eventStreamType]);
  const json = qualityOf(ranges, ["application/json", "application/*", "*/*"]);
  if (stream > 0 && stream >= json) return true;
  if (json > 0) return false;
  throw new ChatApiError("unsupported_accept");
}
