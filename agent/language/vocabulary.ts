import { lexiconWords } from "./concept-lexicon.ts";
import { functionWords } from "./function-words.ts";
import { type Language, languages } from "./languages.ts";
import { createSpelling, type Spelling } from "./spelling.ts";
import { tokenise } from "./tokens.ts";

/** The words of the shop's texts and products and, for spelling correction, of the lexicon. */
export interface Vocabulary {
  /** Whether the word is a function word or a name, or the shop's texts use it or its stem. */
  isKnown(word: string, stem: string, language: Language): boolean;
  /** The known word that a misspelt one stands for. */
  correct(word: string, language: Language): string | undefined;
}

/** `texts`: the shop's texts by language; `names`: words that identify a product in every language. */
export function createVocabulary(
  texts: Readonly<Record<Language, readonly string[]>>,
  names: readonly string[],
): Vocabulary {
  const known: Partial<Record<Language, { words: Set<string>; stems: Set<string>; spelling: Spelling }>> = {};
  for (const language of languages) {
    const words = new Map<string, number>();
    const stems = new Set<string>();
    for (const text of texts[language]) {
      for (const token of tokenise(text, language)) {
        words.set(token.word, 1);
        stems.add(token.stem);
      }
    }
    for (const name of names) words.set(name, 3);
    const own = new Set(words.keys());
    for (const word of lexiconWords(language)) words.set(word, 2);
    const spelling = createSpelling(
      new Map([...words].filter(([word]) => word.length >= 4 && !/\d/.test(word))),
    );
    known[language] = { words: own, stems, spelling };
  }
  return {
    isKnown: (word, stem, language) =>
      functionWords[language].has(word) ||
      (known[language]?.words.has(word) ?? false) ||
      (known[language]?.stems.has(stem) ?? false),
    correct: (word, language) => known[language]?.spelling.correct(word),
  };
}
