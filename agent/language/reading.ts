import type { Language } from "./languages.ts";
import { findMentions, type Mention, mended, type SlotType } from "./lexicon.ts";
import { stemOf, type Token, tokenise } from "./tokens.ts";

/** A text, with what its words name. */
export interface Reading {
  text: string;
  language: Language;
  tokens: readonly Token[];
  mentions: readonly Mention[];
  /** The kinds of things that the text has, for the models: "§place", "§money". */
  marks: ReadonlySet<string>;
  /** The keys of a type that the text mentions, in their order. */
  all(type: SlotType): string[];
}

/** Reads a text: splits it into words, corrects misspelt names, and finds what is named. */
export function readText(text: string, language: Language, isWord: (word: string) => boolean): Reading {
  const tokens = tokenise(text, language).map((token) => {
    if (language === "ja" || /\p{N}/u.test(token.word) || isWord(token.word)) return token;
    const word = mended(token.word, language);
    return word === undefined ? token : { ...token, word, stem: stemOf(word, language) };
  });
  const mentions = findMentions(text, tokens, language);
  const marks = new Set(
    mentions.filter(({ type }) => type !== "mark" && type !== "detail").map(({ type }) => `§${type}`),
  );
  for (const { type, key } of mentions) if (type === "good" || type === "mark") marks.add(`§${type} ${key}`);
  for (const [mark, pattern] of patterns) if (pattern.test(text)) marks.add(mark);
  const all = (type: SlotType) => [
    ...new Set(
      mentions
        .filter((mention) => mention.type === type && mention.within === undefined)
        .map(({ key }) => key),
    ),
  ];
  return { text, language, tokens, mentions, marks, all };
}

const patterns: readonly [string, RegExp][] = [
  ["§money", /[£€¥]\s?\d|\d\s?(?:[£€¥]|gbp|eur)/iu],
  ["§reference", /\b(?:TT|W|C|X)[\s-]?\d{3,6}\b/iu],
  ["§number", /\d/u],
  ["§length", /\d\s?(?:cm\b|センチ|سم)|\b[12][.,m]\s?\d{2}\s?m?\b/iu],
  ["§question", /[?？؟]\s*$/u],
];
