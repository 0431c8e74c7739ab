import { byLanguage, type Language } from "../language/languages.ts";

const segmenters = byLanguage((language) => new Intl.Segmenter(language, { granularity: "sentence" }));

/** The sentences of a text, without the spaces around them. */
export function splitSentences(text: string, language: Language): string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenters[language].segment(text)) {
    const sentence = segment.trim();
    const before = sentences.at(-1);
    // A full stop after a number makes an ordinal and ends no sentence: "bis 24. Dezember".
    if (before !== undefined && /(?:^|\s)\d{1,2}\.$/.test(before))
      sentences.splice(-1, 1, `${before} ${sentence}`);
    else if (sentence) sentences.push(sentence);
  }
  return sentences;
}
