import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { fold } from "./fold.ts";
import type { Language } from "./languages.ts";

/** A word of a text. */
export interface Token {
  /** As compared: folded, and mended when it was misspelt. */
  word: string;
  stem: string;
  /** As it was written. */
  written: string;
  /** Where it begins in the text, in UTF-16 code units. */
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

/** The stem of a folded word. Remembered: the same few thousand words come again and again. */
export function stemOf(word: string, language: Language): string {
  const key = `${language}:${word}`;
  const known = stems.get(key);
  if (known !== undefined) return known;
  const stem = stemmers[language](word);
  if (stems.size > 50_000) stems.clear();
  stems.set(key, stem);
  return stem;
}

const japanese = new Intl.Segmenter("ja", { granularity: "word" });

/** The words of a text, folded and stemmed. Japanese, which has no spaces, is cut by the runtime's segmenter. */
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
  // Blanks keep the places of what follows.
  const plain = text.replace(elision, (match) => " ".repeat(match.length));
  for (const match of plain.matchAll(wordPattern)) yield { written: match[0], at: match.index };
}

/** French articles and pronouns before a vowel ("l'état"): the word behind them is what counts. */
const elision = /(?<!\p{L})(?:l|d|j|m|t|s|n|c|qu|jusqu)['’](?=\p{L})/giu;
/** Letters with their marks, or a number with its separators ("1,899"); an apostrophe may stand inside. */
const wordPattern = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{M}\p{N}]+(?:['’](?:s|t|m|d|ll|ve|re)\b)?/giu;

function foldWord(written: string): string {
  // Without its accent it would be "or".
  if (written.toLowerCase() === "où") return "où";
  return fold(written).replace(/'s$/, "").replaceAll("'", "");
}
