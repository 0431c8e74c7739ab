/** The terms by which texts and questions are compared: stems, and concepts shared by all languages. */
import { type Concept, findConcepts } from "../language/concept-lexicon.ts";
import { functionWords } from "../language/function-words.ts";
import type { Language } from "../language/languages.ts";
import { tokenise } from "../language/tokens.ts";

/** A concept as an index term; the prefix distinguishes it from words. */
export function conceptTerm(concept: Concept): string {
  return `#${concept}`;
}

/** A text's terms, with repetitions. */
export function termsOf(text: string, language: Language): string[] {
  const tokens = tokenise(text, language);
  const stems = tokens.filter((token) => !functionWords[language].has(token.word)).map((token) => token.stem);
  const concepts = findConcepts(text, tokens, language)
    .filter((mention) => mention.weight >= 0.5)
    .map((mention) => conceptTerm(mention.concept));
  return [...stems, ...concepts];
}
