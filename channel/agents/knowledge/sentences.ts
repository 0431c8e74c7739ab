const segmenters = new Map<string, Intl.Segmenter>();

/** The sentences of a text, without the space between them. */
export function splitSentences(text: string, locale: string): string[] {
  let segmenter = segmenters.get(locale);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
    segmenters.set(locale, segmenter);
  }
  return Array.from(segmenter.segment(text), (part) => part.segment.trim()).filter(Boolean);
}
