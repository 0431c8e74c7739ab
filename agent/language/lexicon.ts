/** The words of a language for what a text can name: goods, colours, sizes, places, days, shops, products. */
import { weekdays } from "#lib/shop/stores.ts";
import choices from "../languages/choices.json" with { type: "json" };
import { fold } from "./fold.ts";
import { type Language, languageData, type SlotType, weekdayName } from "./languages.ts";
import { namesOf } from "./replies.ts";
import { Vocabulary } from "./spelling.ts";
import { stemOf, type Token, tokenise } from "./tokens.ts";

/** An occurrence of something named in a text: tokens, or letters where words have no spaces. */
export interface Mention {
  type: SlotType;
  key: string;
  start: number;
  end: number;
  /** The key of the next longer mention of its type that it is part of: "gift" in "gift card". */
  within?: string;
}

interface Entry extends Pick<Mention, "type" | "key"> {
  parts: readonly string[];
}

/** The name of a thing in the shop's content, in one language or in each. */
export interface Name extends Pick<Mention, "type" | "key"> {
  text: string;
  language?: Language;
}

const size = ({ start, end }: Mention) => end - start;

/** Whether a mention lies inside another of its type: "bike" in "bike lock". */
export function isAround(other: Mention, one: Mention): boolean {
  return (
    other.type === one.type &&
    other.key !== one.key &&
    other.start <= one.start &&
    other.end >= one.end &&
    size(other) > size(one)
  );
}

/** A text that names more is no question: each mention is compared with the others. */
const mostMentions = 100;
/** Further unknown words are not corrected: each is compared with many others. */
const mostMended = 24;

export class Lexicon {
  readonly #language: Language;
  readonly #byFirst = new Map<string, Entry[]>();
  readonly #vocabulary: Vocabulary | undefined;

  /** `words`: further ones that messages are corrected to; without any list, nothing is corrected. */
  constructor(language: Language, names: readonly Name[] = [], words?: readonly string[]) {
    this.#language = language;
    this.#vocabulary = words && new Vocabulary();
    const named = Object.entries(languageData[language].words) as [SlotType, Record<string, string>][];
    for (const [type, entries] of named)
      for (const [key, phrases] of Object.entries(entries))
        for (const phrase of phrases.split(",")) this.#add(type, key, phrase);
    for (const [reply, intents] of Object.entries(choices))
      for (const [at, phrase] of [languageData[language].replies[reply]].flat().entries())
        if (typeof phrase === "string") this.#add("theme", intents[at] ?? "", phrase);
    for (const [page, name] of Object.entries(namesOf(language, "pageNames")))
      this.#add("section", page, name);
    for (const day of weekdays) this.#add("day", day, weekdayName(language, day));
    for (const { type, key, text, language: own = language } of names)
      if (own === language) this.#add(type, key, text);
    const numbers = Object.keys(languageData[language].numbers).flatMap((words) => words.split(" "));
    for (const word of [...(words ?? []), ...numbers]) this.#vocabulary?.add(fold(word));
  }

  #partsOf(text: string, tokens: readonly Token[]): string[] {
    return languageData[this.#language].space === "" ? [...fold(text)] : tokens.map(({ stem }) => stem);
  }

  #add(type: SlotType, key: string, phrase: string): void {
    const tokens = tokenise(phrase, this.#language);
    const parts = this.#partsOf(phrase.trim(), tokens);
    const [first] = parts;
    if (first === undefined) return;
    const entries = this.#byFirst.get(first) ?? [];
    const isSame = (other: Entry) =>
      other.key === key && other.type === type && `${other.parts}` === `${parts}`;
    if (!entries.some(isSame)) this.#byFirst.set(first, [...entries, { type, key, parts }]);
    for (const { word } of tokens) this.#vocabulary?.add(word);
  }

  /** The tokens with misspelt words corrected, and those apart that are written together. */
  mended(tokens: readonly Token[], isWord: (word: string) => boolean): Token[] {
    const { space, compounds } = languageData[this.#language];
    const vocabulary = this.#vocabulary;
    if (!vocabulary) return [...tokens];
    let left = space === "" ? 0 : mostMended;
    return tokens.flatMap((token) => {
      const { word, written, at } = token;
      const isNumbered = /\p{N}$/u.test(word);
      const isLeft = left === 0 || word.length > 24 || /^\p{N}/u.test(word);
      if (isLeft || vocabulary.has(word) || isWord(word)) return token;
      left -= 1;
      const made = (as: string, of = written, from = at) => ({
        ...{ word: as, stem: stemOf(as, this.#language), written: of, at: from },
      });
      const parts = compounds && !isNumbered ? undefined : vocabulary.split(word, isNumbered);
      if (parts) {
        const { length } = parts[0];
        return [made(parts[0], written.slice(0, length)), made(parts[1], written.slice(length), at + length)];
      }
      return made((isNumbered ? undefined : vocabulary.nearest(word)) ?? word);
    });
  }

  /** Returns the things that a text names, in its order. */
  find(text: string, tokens: readonly Token[]): Mention[] {
    const parts = this.#partsOf(text, tokens);
    const found: Mention[] = [];
    for (let start = 0; start < parts.length && found.length < mostMentions; start += 1)
      for (const { type, key, parts: phrase } of this.#byFirst.get(parts[start] ?? "") ?? [])
        if (phrase.every((part, index) => part === parts[start + index]))
          found.push({ type, key, start, end: start + phrase.length });
    // "Wheel set" is a wheelset.
    for (const [start, { word }] of tokens.slice(0, mostMentions).entries())
      for (const { type, key } of this.#words(word + (tokens[start + 1]?.stem ?? " ")))
        found.push({ type, key, start, end: start + 2 });
    found.push(...this.#withinWords(tokens, found));
    return found
      .map((one) => {
        const around = found.filter((other) => isAround(other, one)).sort((a, b) => size(a) - size(b))[0];
        return around ? { ...one, within: around.key } : one;
      })
      .sort((a, b) => a.start - b.start || size(b) - size(a));
  }

  /** The entries of one word. */
  #words(stem: string): readonly Entry[] {
    return (this.#byFirst.get(stem) ?? []).filter(({ parts }) => parts.length === 1);
  }

  /** Mentions inside a word: after a prefix, and at the end of a compound. */
  *#withinWords(tokens: readonly Token[], found: readonly Mention[]): Iterable<Mention> {
    const { prefixes, compounds } = languageData[this.#language];
    if (prefixes.length === 0 && !compounds) return;
    const covered = new Set(found.flatMap(({ start, end }) => [start, end - 1]));
    for (const [index, { word, stem }] of tokens.entries()) {
      if (covered.has(index)) continue;
      const rests = prefixes
        .filter((prefix) => word.startsWith(prefix) && word.length > prefix.length + 2)
        .map((prefix) => stemOf(word.slice(prefix.length), this.#language));
      if (compounds && word.length >= 8)
        for (let at = 3; at + 4 <= stem.length && at < 40; at += 1) rests.push(stem.slice(at));
      const rest = rests.find((each) => this.#words(each).length > 0) ?? "";
      // "Kinderhelm" is a helmet for children.
      const before = compounds ? stemOf(stem.slice(0, stem.length - rest.length), this.#language) : "";
      const described = rest === "" ? [] : this.#words(before).filter(({ type }) => type === "good");
      for (const { type, key } of [...this.#words(rest), ...described])
        yield { type, key, start: index, end: index + 1 };
    }
  }
}
