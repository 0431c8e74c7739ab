/** The languages of the chat. Dictionaries load on use, so a customer downloads those of one language. */
import type { Strings } from "./en.ts";

export type { Strings };

const dictionaries = {
  en: () => import("./en.ts"),
  de: () => import("./de.ts"),
  fr: () => import("./fr.ts"),
  ar: () => import("./ar.ts"),
  ja: () => import("./ja.ts"),
} satisfies Record<string, () => Promise<{ strings: Strings }>>;

export type Language = keyof typeof dictionaries;

export const languages = Object.keys(dictionaries) as Language[];

/** The chat's language for a BCP 47 tag: German for `de-CH`, English for an unknown one. */
export function languageOf(locale: string): Language {
  const wanted = locale.split("-")[0]?.toLowerCase();
  return languages.find((language) => language === wanted) ?? "en";
}

export async function loadStrings(language: Language): Promise<Strings> {
  return (await dictionaries[language]()).strings;
}

export function directionOf(language: Language): "ltr" | "rtl" {
  const rightToLeft: readonly string[] = ["ar"];
  return rightToLeft.includes(language) ? "rtl" : "ltr";
}
