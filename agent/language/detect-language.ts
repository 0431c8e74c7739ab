import { boundedText } from "./bounded-text.ts";
import { isInLexicon } from "./concept-lexicon.ts";
import { functionWords } from "./function-words.ts";
import type { Language } from "./languages.ts";
import { tokenise } from "./tokens.ts";

const latin = ["en", "de", "fr"] as const;
const tellingLetters: Record<(typeof latin)[number], RegExp> = {
  en: /$^/,
  de: /[äöüß]/giu,
  fr: /[éèêçàùâîôœ]/giu,
};

/**
 * Detects a text's language by its script, else by how many of its words and letters are typical of each
 * language. Texts without evidence ("Fell 2?") are in the `expected` language: that of the customer's earlier
 * messages, or the chat's locale.
 */
export function detectLanguage(message: string, expected: Language): Language {
  const text = boundedText(message);
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (arabic * 3 > letters) return "ar";
  if (han * 2 > letters) return "ja";
  const scores = latin.map((language) => ({
    language,
    score: wordScore(text, language) + (text.match(tellingLetters[language])?.length ?? 0) * 0.8,
  }));
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  const ofExpected = scores.find((entry) => entry.language === expected)?.score ?? 0;
  return best.score > ofExpected + 0.55 ? best.language : latinOr(expected, best);
}

/**
 * The language of Latin letters in an Arabic or Japanese chat: a product name does not change the chat's
 * language, a sentence does.
 */
function latinOr(expected: Language, best: { language: Language; score: number }): Language {
  if (expected !== "ar" && expected !== "ja") return expected;
  return best.score >= 1.5 ? best.language : expected;
}

function wordScore(text: string, language: Language): number {
  let score = 0;
  for (const token of tokenise(text, language)) {
    if (functionWords[language].has(token.word)) score += 1;
    else if (isInLexicon(token, language)) score += 0.5;
  }
  return score;
}
