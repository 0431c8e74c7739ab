import { isCommonWord } from "./common-words.ts";
import { type Concept, findConcepts, isInLexicon, type Mention } from "./concept-lexicon.ts";
import { functionWords } from "./function-words.ts";
import type { Language } from "./languages.ts";
import { stemOf, type Token, tokenise } from "./tokens.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A text with the concepts that its words express. */
export interface Reading {
  text: string;
  language: Language;
  tokens: readonly Token[];
  mentions: readonly Mention[];
  /** Meaningful words that neither the lexicon nor the shop's texts know. */
  unknown: readonly Token[];
  /** How clearly the concept is meant: 0 (not at all) to 1. */
  has(concept: Concept): number;
}

/** Reads a text: splits it into words, corrects their spelling and finds their concepts. */
export function readText(text: string, language: Language, vocabulary: Vocabulary): Reading {
  const tokens = tokenise(text, language).map((token) => mend(token, language, vocabulary));
  const mentions = findConcepts(text, tokens, language);
  const weights = new Map<Concept, number>();
  for (const { concept, weight } of mentions) {
    weights.set(concept, Math.max(weights.get(concept) ?? 0, weight));
  }
  const unknown = tokens.filter(
    (token, index) =>
      !isUnderstood(token, language, vocabulary) && !isCovered(token, index, mentions, language),
  );
  return { text, language, tokens, mentions, unknown, has: (concept) => weights.get(concept) ?? 0 };
}

function mend(token: Token, language: Language, vocabulary: Vocabulary): Token {
  const spelt = isUnderstood(token, language, vocabulary) || isInLexicon(token, language);
  if (language === "ja" || token.word.length < 4 || spelt || isCommonWord(token.word, language)) return token;
  const word = withoutPrefix(token.word, language) ?? vocabulary.correct(token.word, language);
  return word === undefined ? token : { ...token, word, stem: stemOf(word, language) };
}

/** Removes Arabic prefixes, such as those for "and" and "the"; undefined if no known word remains. */
function withoutPrefix(word: string, language: Language): string | undefined {
  if (language !== "ar") return undefined;
  return [/^[وفبلك]?ال/, /^لل/, /^[وفبل]/]
    .map((prefix) => word.replace(prefix, ""))
    .find((rest) => rest !== word && rest.length > 2 && isInLexicon(tokenOf(rest, language), language));
}

function tokenOf(word: string, language: Language): Token {
  return { word, stem: stemOf(word, language), written: word, at: 0 };
}

function isUnderstood(token: Token, language: Language, vocabulary: Vocabulary): boolean {
  if (/^\p{N}/u.test(token.word) || token.word.length < 2) return true;
  // Pure hiragana is usually grammar; words with a meaning of their own mostly use other characters.
  if (language === "ja" && /^[\u3041-\u309f]+$/.test(token.written)) return true;
  return functionWords[language].has(token.word) || vocabulary.isKnown(token.word, token.stem, language);
}

/** Whether a mention covers the word. In Japanese, positions are characters. */
function isCovered(token: Token, index: number, mentions: readonly Mention[], language: Language): boolean {
  const [from, to] = language === "ja" ? [token.at, token.at + token.written.length] : [index, index + 1];
  return mentions.some(({ start, end }) => start < to && end > from);
}
