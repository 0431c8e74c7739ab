import type { Language } from "./languages.ts";

/**
 * A concept's expressions in each language: words and phrases separated by commas. Stemming adds inflected
 * forms; a word after `=` counts in that form only.
 */
export interface ConceptEntry extends Record<Language, string> {
  /** Wider concepts implied by this one. */
  isa?: readonly string[];
}
export type ConceptTable = Record<string, ConceptEntry>;
