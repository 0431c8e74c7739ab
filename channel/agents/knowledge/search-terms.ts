/** What texts and questions are compared by: stems of their words, and concepts, which are the same in every language. */
import { type Concept, findConcepts } from "../language/concept-lexicon.ts";
import { functionWords } from "../language/function-words.ts";
import type { Language } from "../language/languages.ts";
import { tokenise } from "../language/tokens.ts";

/** A concept as a term of the index; the sign keeps it apart from words. */
export function conceptTerm(concept: Concept): string {
  return `#${concept}`;
}

/** The terms of a text, as often as they occur in it. */
export function termsOf(text: string, language: Language): string[] {
  const tokens = tokenise(text, language);
  const stems = tokens.filter((token) => !functionWords[language].has(token.word)).map((token) => token.stem);
  const concepts = findConcepts(text, tokens, language)
    .filter((mention) => mention.weight >= 0.5)
    .map((mention) => conceptTerm(mention.concept));
  return [...stems, ...concepts];
}
