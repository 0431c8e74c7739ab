import { type Language, languages } from "../language/languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import type { Phrases } from "./phrases.ts";

export const phrases: Readonly<Record<Language, Phrases>> = { en, de, fr, ar, ja };

const failures: ReadonlySet<string> = new Set(
  languages.flatMap((language) => {
    const { unknown, notUnderstood, notUnderstoodAgain } = phrases[language];
    return [unknown, notUnderstood, notUnderstoodAgain];
  }),
);

/** Whether the message is the agent's admission that it could not help. */
export function isFailure(text: string): boolean {
  return failures.has(text);
}
