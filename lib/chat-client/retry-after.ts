/** How long the server asks the client to wait (docs/chat-api.md, "General rules"). */

/** The longest wait: then one request asks again, whatever the server has said. */
const longestSeconds = 60 * 60;
/** The wait for an unreadable value: a wait is requested, but its length is unknown. */
const unreadableSeconds = 1;

const wholeNumber = /^[0-9]+$/;
/**
 * RFC 9110, section 5.6.7: the preferred format and the two obsolete ones that recipients must accept. All
 * begin with a weekday.
 */
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
 * Whole seconds to wait, from `Retry-After` (seconds or a date) and `error.retryAfterSeconds`: the larger of
 * the two, of which an unreadable one counts as 1; undefined if both are absent.
 */
export function readRetryAfter(headers: Pick<Headers, "get">, inBody: unknown): number | undefined {
  const seconds: number[] = [];
  const header = headers.get("retry-after")?.trim();
  if (header !== undefined) {
    // Counting from the response's own date makes a wrong local clock harmless.
    const sentAt = Date.parse(headers.get("date") ?? "");
    seconds.push(headerSeconds(header, Number.isNaN(sentAt) ? Date.now() : sentAt));
  }
  if (inBody !== undefined && inBody !== null) seconds.push(bodySeconds(inBody));
  if (seconds.length === 0) return undefined;
  return Math.min(longestSeconds, Math.ceil(Math.max(...seconds)));
}
