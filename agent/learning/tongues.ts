/** Learns the languages that customers write, from the examples and the shop's pages. */
import { fold } from "../language/fold.ts";
import { type Language, languageOfLocale, languages } from "../language/languages.ts";
import { hashed, learn, type Model, probabilities } from "./softmax.ts";

/** The language of a text, or "other"; `expected` wins unless the text speaks against it. */
export type LanguageGuess = (text: string, expected: Language) => Language | "other";

const tongues: readonly (Language | "other")[] = [...languages, "other"];
/** Languages with letters of their own. */
const scripts = new Map<Language | "other", RegExp>()
  .set("ar", /\p{Script=Arabic}/u)
  .set("ja", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);
/** The beginning of a text tells its language: words, and UTF-16 code units. */
const [mostWords, longest] = [30, 600];

export function learnLanguages(texts: readonly { language: string; text: string }[]): Model {
  return learn(
    texts.map(({ language, text }) => ({
      features: hashed(trigrams(wordsIn(text))),
      label: tongues.indexOf(language === "other" ? language : languageOfLocale(language)),
    })),
    tongues.length,
  );
}

export function guessBy(model: Model): LanguageGuess {
  return (text, expected) => {
    const all = wordsIn(text);
    const shares = probabilities(model, hashed(trigrams(all)));
    const words = all.filter((word) => !/\p{N}/u.test(word)).length;
    const isForeign = [...scripts].some(([tongue, script]) => tongue !== expected && script.test(text));
    // A word is no evidence against the language so far, and two are little, unless the script is another.
    const loyalty = isForeign ? 1 : words < 2 ? Number.POSITIVE_INFINITY : 1 + 1_500 / words ** 3;
    const weightOf = (tongue: Language | "other") =>
      (shares[tongues.indexOf(tongue)] || Number.MIN_VALUE) * (tongue === expected ? loyalty : 1);
    const possible = tongues.filter((each) => each === expected || scripts.get(each)?.test(text) !== false);
    return possible.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  };
}

function wordsIn(text: string): string[] {
  return (fold(text.slice(0, longest)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, mostWords);
}

function* trigrams(words: readonly string[]): Iterable<string> {
  for (const word of words) {
    const padded = ` ${word} `;
    yield padded;
    for (let at = 0; at + 3 <= padded.length; at += 1) yield padded.slice(at, at + 3);
    for (const letter of word) if (letter > "ɏ") yield letter;
  }
}
