/** The terms by which texts and questions are compared: stems, and what is named in every language. */
import type { Language } from "../language/languages.ts";
import { findMentions } from "../language/lexicon.ts";
import type { Reading } from "../language/reading.ts";
import { tokenise } from "../language/tokens.ts";

/** A text's terms, with repetitions. */
export function termsOf(text: string, language: Language): string[] {
  const tokens = tokenise(text, language);
  return [...tokens.map(({ stem }) => stem), ...named(findMentions(text, tokens, language))];
}

/** The terms of a customer's text, whose misspelt words were corrected. */
export function termsOfReading({ tokens, mentions }: Reading): string[] {
  return [...tokens.map(({ stem }) => stem).filter((stem) => /\p{L}/u.test(stem)), ...named(mentions)];
}

/** Names as terms; the prefix distinguishes them from words. */
function named(mentions: Reading["mentions"]): string[] {
  return mentions
    .filter(
      ({ type, within }) =>
        within === undefined &&
        (type === "good" || type === "detail" || type === "place" || type === "name" || type === "mark"),
    )
    .map(({ type, key }) => `#${type} ${key}`);
}
