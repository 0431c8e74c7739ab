import type { Language } from "./languages.ts";

/** What is said for a concept in each language: words and phrases, with commas between. Inflected forms follow by stemming; after `=` a word counts only as it stands. */
export interface ConceptEntry extends Record<Language, string> {
  /** Wider concepts that hold too where this one is meant. */
  isa?: readonly string[];
}
export type ConceptTable = Record<string, ConceptEntry>;
