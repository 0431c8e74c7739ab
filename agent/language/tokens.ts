import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { fold } from "./fold.ts";
import { byLanguage, type Language, languageData } from "./languages.ts";

/** A word of a text. */
export interface Token {
  /** The word for comparison: folded, and corrected if it was misspelt. */
  word: string;
  stem: string;
  /** The word as written. */
  written: string;
  /** Its position in the text, in UTF-16 code units. */
  at: number;
}

/** A language without a stemmer has none here. */
const stemmers: Partial<Record<Language, (word: string) => string>> = {
  en: stemEnglish,
  de: stemGerman,
  fr: stemFrench,
  ar: stemArabic,
};

/** Stems by language, kept because the same few thousand words recur. */
const stems = byLanguage(() => new Map<string, string>());
const mostStems = 10_000;
/** Longer strings are not words of these languages: they are neither stemmed nor cached. */
const longestStemmed = 64;

const abbreviations = byLanguage(
  (language) =>
    new Map(
      languageData[language].abbreviations.split(", ").map((each): [string, string] => {
        const [short = "", long = ""] = fold(each).split("=");
        return [short, long];
      }),
    ),
);

/** The stem of a folded word. */
export function stemOf(word: string, language: Language): string {
  if (word.length > longestStemmed) return word;
  const known = stems[language];
  const stem = known.get(word) ?? stemmers[language]?.(word) ?? word;
  if (known.size >= mostStems) known.clear();
  known.set(word, stem);
  return stem;
}

/** Splits a text into words, folded and stemmed. */
export function tokenise(text: string, language: Language): Token[] {
  return Array.from(words(text, language), ({ written, at }) => {
    const folded = fold(written);
    const word = abbreviations[language].get(folded) ?? folded;
    return { word, stem: stemOf(word, language), written, at };
  });
}

/** Find the words of a text, and what is between them. */
export const segmenters = byLanguage((language) => new Intl.Segmenter(language, { granularity: "word" }));
/** Letters with their marks, or a number with separators ("1,899"). */
const wordPattern = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+/gu;

function* words(text: string, language: Language): Iterable<{ written: string; at: number }> {
  if (languageData[language].space === "") {
    for (const { segment, index, isWordLike } of segmenters[language].segment(text))
      if (isWordLike) yield { written: segment, at: index };
  } else for (const { 0: written, index } of text.matchAll(wordPattern)) yield { written, at: index };
}
