/** The chat's own languages. A customer downloads the texts of one language, and of all only the button's. */
import { directionOf } from "./direction.ts";
import type { Language, Languages, Strings } from "./language.ts";
import launcher from "./launcher.json" with { type: "json" };

export const builtInLanguages = {
  en: { launcher: launcher.en, texts: () => import("./en.json", { with: { type: "json" } }) },
  de: { launcher: launcher.de, texts: () => import("./de.json", { with: { type: "json" } }) },
  fr: { launcher: launcher.fr, texts: () => import("./fr.json", { with: { type: "json" } }) },
  ar: { launcher: launcher.ar, texts: () => import("./ar.json", { with: { type: "json" } }) },
  ja: { launcher: launcher.ja, texts: () => import("./ja.json", { with: { type: "json" } }) },
} satisfies Record<string, Language>;

export type BuiltInLanguage = keyof typeof builtInLanguages;

/** The language of a shop that names none, and the source of a text that another language lacks. */
export const defaultLanguage = "en" satisfies BuiltInLanguage;

export interface ChosenLanguage extends Language {
  /** BCP 47, for the `lang` attribute. */
  tag: string;
  direction: "ltr" | "rtl";
}

/**
 * The language for a BCP 47 tag, or for what else names a locale, such as `pt_BR.UTF-8`: Brazilian Portuguese
 * if the shop has added it, otherwise Portuguese, otherwise English. The shop's languages replace the chat's
 * own.
 */
export function languageFor(locale: string, added?: Languages): ChosenLanguage {
  const all: Readonly<Record<string, Language>> = { ...builtInLanguages, ...added };
  // Plain JavaScript may give null.
  let wanted = `${locale}`.toLowerCase().replaceAll("_", "-");
  for (; wanted; wanted = wanted.replace(/\W?\w*$/, ""))
    for (const [tag, language] of Object.entries(all))
      if (tag.toLowerCase() === wanted) return { ...language, tag, direction: directionOf(tag) };
  return languageFor(defaultLanguage);
}

/** Fetches the language's texts. One of the shop's may lack some (`customTexts`). */
export async function loadTexts({ texts }: Language): Promise<Strings> {
  const loaded = typeof texts === "function" ? await texts() : texts;
  return "default" in loaded ? loaded.default : loaded;
}
