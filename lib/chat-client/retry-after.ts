/** How long the other side asks to wait (specification, "General rules", 4). */

/** A longer wait is of no use to anyone, and its milliseconds are more than a timer takes: that one would ring at once. */
const longestSeconds = 24 * 24 * 60 * 60;
/** For a value that cannot be read: there is a wait, its length is unknown. */
const unreadableSeconds = 1;

const wholeNumber = /^[0-9]+$/;
/** RFC 9110, section 5.6.7: the preferred form, and the two obsolete ones that must be understood. All begin with a weekday. */
const httpDate = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*[0-9]/;

function headerSeconds(value: string, sentAt: number): number {
  if (wholeNumber.test(value)) return Number(value);
  if (!httpDate.test(value)) return unreadableSeconds;
  const time = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(time) ? unreadableSeconds : Math.max(0, (time - sentAt) / 1000);
}

function bodySeconds(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : unreadableSeconds;
}

/**
 * Whole seconds to wait, from `Retry-After` (seconds or a date) and `error.retryAfterSeconds`: the larger one where
 * they differ, 1 where one cannot be read, undefined where neither is there.
 */
export function readRetryAfter(headers: Headers, inBody: unknown): number | undefined {
  const seconds: number[] = [];
  const header = headers.get("retry-after")?.trim();
  if (header !== undefined) {
    // The answer's own date makes a wrong clock on this side harmless.
    const sentAt = Date.parse(headers.get("date") ?? "");
    seconds.push(headerSeconds(header, Number.isNaN(sentAt) ? Date.now() : sentAt));
  }
  if (inBody !== undefined && inBody !== null) seconds.push(bodySeconds(inBody));
  if (seconds.length === 0) return undefined;
  return Math.min(longestSeconds, Math.ceil(Math.max(...seconds)));
}
