const segmenters = new Map<string, Intl.Segmenter>();

/** The sentences of a text, without the spaces around them. */
export function splitSentences(text: string, locale: string): string[] {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: "sentence" });
  segmenters.set(locale, segmenter);
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const sentence = segment.trim();
    const before = sentences.at(-1);
    // A full stop after a number makes an ordinal and ends no sentence: "bis 24. Dezember".
    if (before !== undefined && /(?:^|\s)\d{1,2}\.$/.test(before))
      sentences.splice(-1, 1, `${before} ${sentence}`);
    else if (sentence) sentences.push(sentence);
  }
  return sentences;
}
