import { builtInLanguages, defaultLanguage } from "./built-in.ts";
import type { Languages, LoadableLanguage, LoadedTexts } from "./language.ts";

export interface ChosenLanguage extends LoadableLanguage {
  /** BCP 47, for the `lang` attribute. */
  tag: string;
}

/**
 * The language for a BCP 47 tag: Brazilian Portuguese for `pt-BR` if the shop has added it, otherwise
 * Portuguese, otherwise English. The shop's languages replace the chat's own.
 */
export function languageFor(locale: string, added?: Languages): ChosenLanguage {
  const all: Readonly<Record<string, LoadableLanguage>> = { ...builtInLanguages, ...added };
  for (let wanted = locale.toLowerCase(); wanted !== ""; wanted = wanted.replace(/-?[^-]*$/, ""))
    for (const [tag, language] of Object.entries(all))
      if (tag.toLowerCase() === wanted) return { tag, ...language };
  return { tag: defaultLanguage, ...builtInLanguages[defaultLanguage] };
}

/** Fetches the texts of the first opening. A language of the shop may lack some, and has all others. */
export async function loadTexts({ texts }: LoadableLanguage): Promise<LoadedTexts> {
  const loaded = typeof texts === "function" ? await texts() : texts;
  return "default" in loaded ? loaded : { default: loaded };
}
