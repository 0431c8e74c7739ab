import { inDigits } from "./figures.ts";
import { fold } from "./fold.ts";
import { byLanguage, type Language, languageData, type SlotType } from "./languages.ts";
import { Lexicon, type Mention, type Name } from "./lexicon.ts";
import { type Token, tokenise } from "./tokens.ts";

/** A text, with what its words name. */
export interface Reading {
  text: string;
  language: Language;
  tokens: readonly Token[];
  /** The things named but not refused, or all if the text names no others. */
  mentions: readonly Mention[];
  /** The text, folded, with its numbers in digits. */
  figures: string;
  /** The features by which texts and questions are compared: stems, and what is named in every language. */
  terms: readonly string[];
  /** The keys of a type that the text mentions, in their order. */
  all(type: SlotType): string[];
  /** The mentions that the text refuses: "not the Heron, the Mule". */
  refused: readonly Mention[];
}

export type Read = (text: string, language: Language) => Reading;

/** How messages are corrected: to the words of a language, unless they are words themselves. */
export interface Spelling {
  words(language: Language): readonly string[];
  isWord(word: string, language: Language): boolean;
}

/** The types of mentions that are terms. */
const compared: ReadonlySet<SlotType> = new Set(["good", "detail", "place", "name", "mark"]);

/**
 * Reads texts: splits them into words and finds what is named, by the shop's names, too. With a `spelling`,
 * it corrects misspelt words.
 */
export function createReader(names: readonly Name[] = [], spelling?: Spelling): Read {
  const lexicons = byLanguage((language) => new Lexicon(language, names, spelling?.words(language)));
  return (text, language) => {
    const lexicon = lexicons[language];
    const written = tokenise(text, language);
    const tokens = lexicon.mended(written, (word) => spelling?.isWord(word, language) ?? true);
    const named = lexicon.find(text, tokens);
    const refused = refusedIn(text, language, tokens, named);
    const wanted = named.filter((each) => !refused.includes(each));
    // "Have you no lights?" asks for lights, "not that bike, a lighter one" for another.
    const mentions = wanted.some(({ type }) => refusable.has(type) || type === "measure") ? wanted : named;
    const isWhole = ({ within }: Mention) => within === undefined;
    const whole = mentions.filter(isWhole);
    return {
      ...{ text, language, tokens, mentions, refused, figures: inDigits(fold(text), language) },
      terms: [
        ...tokens.map(({ stem }) => stem).filter((stem) => /\p{L}/u.test(stem)),
        ...named
          .filter((each) => isWhole(each) && compared.has(each.type) && each.key !== "it")
          .map(({ type, key }) => `#${type} ${key}`),
      ],
      all: (type) => [...new Set(whole.filter((each) => each.type === type).map(({ key }) => key))],
    };
  };
}

/** The kinds of things that a customer can refuse, and those that tell goods of a kind apart. */
const telling: ReadonlySet<SlotType> = new Set(["name", "brand", "colour", "size"]);
const refusable: ReadonlySet<SlotType> = new Set(["good", "position", ...telling]);
const clauseEnd = /[,.;:!?،؛、。\n]|(?<!\p{L})(?:but|just|only|sondern|aber|mais|بل|لكن)(?!\p{L})/u;
/** A refusal goes on for four words, in a clause without a comma. */
const refusedWords = /^\s*(?:\S+\s+){0,3}\S*/;

function refusedIn(
  text: string,
  language: Language,
  tokens: readonly Token[],
  mentions: readonly Mention[],
): readonly Mention[] {
  const { not, notAfter, space } = languageData[language];
  const ranges = Array.from(text.matchAll(new RegExp(not, "giu")), ({ 0: { length }, index }) => {
    const [clause = ""] = text.slice(index + length).split(clauseEnd, 1);
    const [words = ""] = refusedWords.exec(clause) ?? [];
    return { from: index + length, to: index + length + words.length };
  });
  for (const { index } of text.matchAll(new RegExp(notAfter, "giu")))
    ranges.push({ from: index - 1, to: index });
  const placeOf = ({ start, end }: Mention) => (space === "" ? end - 1 : (tokens[start]?.at ?? 0));
  const refused = mentions.filter(
    (each) =>
      refusable.has(each.type) && ranges.some(({ from, to }) => from <= placeOf(each) && placeOf(each) < to),
  );
  // "No Brant helmet" wants another helmet.
  const isBeside = (one: Mention, other: Mention) => one.end === other.start || other.end === one.start;
  const isTold = (each: Mention) =>
    each.type === "good" && refused.some((other) => telling.has(other.type) && isBeside(each, other));
  return refused.filter((each) => !isTold(each));
}
