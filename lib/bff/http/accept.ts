/** What a caller accepts (specification, "Events", rule 5; RFC 9110, section 12.5.1). */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { eventStreamType } from "#lib/chat-api/turn-events.ts";

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

/** The most exact range that names the type decides. */
function qualityOf(ranges: readonly Range[], names: readonly string[]): number {
  for (const name of names) {
    const range = ranges.find(({ type }) => type === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/**
 * True for a turn stream, false for JSON. A stream must be asked for by name.
 * @throws ChatApiError `unsupported_accept` where neither will do.
 */
export function wantsEventStream(accept: string | null): boolean {
  const ranges = readRanges(accept?.trim() || "*/*");
  const stream = qualityOf(ranges, [eventStreamType]);
  const json = qualityOf(ranges, ["application/json", "application/*", "*/*"]);
  if (stream > 0 && stream >= json) return true;
  if (json > 0) return false;
  throw new ChatApiError("unsupported_accept");
}
