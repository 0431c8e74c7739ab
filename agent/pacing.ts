/** How a reply is split into deltas, and at what pace they are sent. */

/** Waits; resolves early when the signal aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const wordGroupLength = 12;

/** Splits a text at word boundaries into parts of a few words. The parts join to the text. */
export function splitForStreaming(text: string, locale: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const { segment } of segmenterOf(locale).segment(text)) {
    part += segment;
    if (part.length >= wordGroupLength && /\s$|[^\p{Script=Latin}\p{N}]$/u.test(part)) {
      parts.push(part);
      part = "";
    }
  }
  if (part) parts.push(part);
  return parts;
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(locale: string): Intl.Segmenter {
  let segmenter = segmenters.get(locale);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(locale, { granularity: "word" });
    segmenters.set(locale, segmenter);
  }
  return segmenter;
}

export const sleepWithTimer: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (milliseconds <= 0 || signal.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener("abort", finish);
  });
