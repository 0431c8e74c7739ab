import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { fold } from "./fold.ts";
import type { Language } from "./languages.ts";

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

const stemmers: Record<Language, (word: string) => string> = {
  en: stemEnglish,
  de: stemGerman,
  fr: stemFrench,
  ar: stemArabic,
  ja: (word) => word,
};

const stems = new Map<string, string>();
/** Longer strings are not words of these languages: they are neither stemmed nor cached. */
const longestStemmed = 64;

/** The stem of a folded word; cached, because the same few thousand words recur. */
export function stemOf(word: string, language: Language): string {
  if (word.length > longestStemmed) return word;
  const key = `${language}:${word}`;
  const known = stems.get(key);
  if (known !== undefined) return known;
  const stem = stemmers[language](word);
  if (stems.size > 50_000) stems.clear();
  stems.set(key, stem);
  return stem;
}

const japanese = new Intl.Segmenter("ja", { granularity: "word" });

/**
 * Splits a text into words, folded and stemmed. Japanese has no spaces and is split by the runtime's
 * segmenter.
 */
export function tokenise(text: string, language: Language): Token[] {
  return Array.from(words(text, language), ({ written, at }) => {
    const word = foldWord(written);
    return { word, stem: stemOf(word, language), written, at };
  });
}

function* words(text: string, language: Language): Iterable<{ written: string; at: number }> {
  if (language === "ja") {
    for (const part of japanese.segment(text)) {
      if (part.isWordLike) yield { written: part.segment, at: part.index };
    }
    return;
  }
  // Elided articles become spaces, so that the positions of later words do not change.
  const plain = text.replace(elision, (match) => " ".repeat(match.length));
  for (const match of plain.matchAll(wordPattern)) yield { written: match[0], at: match.index };
}

/** French articles and pronouns elided before a vowel ("l'état"): only the following word counts. */
const elision = /(?<!\p{L})(?:l|d|j|m|t|s|n|c|qu|jusqu)['’](?=\p{L})/giu;
/**
 * Letters with their marks and an English suffix after an apostrophe, or a number with separators ("1,899").
 */
const wordPattern = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+(?:['’](?:s|t|m|d|ll|ve|re)\b)?/giu;

function foldWord(written: string): string {
  // Keeps the accent: "ou" means "or".
  if (written.toLowerCase() === "où") return "où";
  return fold(written).replace(/'s$/, "").replaceAll("'", "");
}
