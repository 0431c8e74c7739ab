import { byLanguage, type Language, type SlotType } from "./languages.ts";
import { Lexicon, type Mention } from "./lexicon.ts";
import { stemOf, type Token, tokenise } from "./tokens.ts";

/** A text, with what its words name. */
export interface Reading {
  text: string;
  language: Language;
  tokens: readonly Token[];
  mentions: readonly Mention[];
  /** By which texts and questions are compared: stems, and what is named in every language. */
  terms: readonly string[];
  /** The keys of a type that the text mentions, in their order. */
  all(type: SlotType): string[];
}

/** `isWord`: whether the shop's own texts have the word, which is then not misspelt. */
export type Read = (text: string, language: Language, isWord?: (word: string) => boolean) => Reading;

/** The types of mentions that are terms. */
const compared: ReadonlySet<SlotType> = new Set(["good", "detail", "place", "name", "mark"]);

/**
 * Reads texts: splits them into words, corrects misspelt names, and finds what is named. `names`: the keys of
 * products' names.
 */
export function createReader(names?: ReadonlyMap<string, string>): Read {
  const lexicons = byLanguage((language) => new Lexicon(language, names));
  return (text, language, isWord = () => true) => {
    const lexicon = lexicons[language];
    const tokens = tokenise(text, language).map((token) => {
      if (/\p{N}/u.test(token.word) || isWord(token.word)) return token;
      const word = lexicon.mended(token.word);
      return word === undefined ? token : { ...token, word, stem: stemOf(word, language) };
    });
    const mentions = lexicon.find(text, tokens);
    const whole = mentions.filter(({ within }) => within === undefined);
    return {
      text,
      language,
      tokens,
      mentions,
      terms: [
        ...tokens.map(({ stem }) => stem).filter((stem) => /\p{L}/u.test(stem)),
        ...whole.filter(({ type }) => compared.has(type)).map(({ type, key }) => `#${type} ${key}`),
      ],
      all: (type) => [...new Set(whole.filter((each) => each.type === type).map(({ key }) => key))],
    };
  };
}
