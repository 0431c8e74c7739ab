/** The languages of the chat. Dictionaries load on use, so a customer downloads those of one language. */
import type { PartStrings } from "./parts/en.ts";
import type { ShellStrings } from "./shell/en.ts";

export type { PartStrings, ShellStrings };
export type Strings = ShellStrings & PartStrings;

interface Dictionary {
  shell(): Promise<{ shellStrings: ShellStrings }>;
  parts(): Promise<{ partStrings: PartStrings }>;
}

const dictionaries = {
  en: { shell: () => import("./shell/en.ts"), parts: () => import("./parts/en.ts") },
  de: { shell: () => import("./shell/de.ts"), parts: () => import("./parts/de.ts") },
  fr: { shell: () => import("./shell/fr.ts"), parts: () => import("./parts/fr.ts") },
  ar: { shell: () => import("./shell/ar.ts"), parts: () => import("./parts/ar.ts") },
  ja: { shell: () => import("./shell/ja.ts"), parts: () => import("./parts/ja.ts") },
} as const satisfies Record<string, Dictionary>;

export type Language = keyof typeof dictionaries;

export const languages = Object.keys(dictionaries) as Language[];

/** The chat's language for a BCP 47 tag: German for `de-CH`, English for an unknown one. */
export function languageOf(locale: string): Language {
  const wanted = locale.split("-")[0]?.toLowerCase();
  return languages.find((language) => language === wanted) ?? "en";
}

export async function loadShellStrings(language: Language): Promise<ShellStrings> {
  return (await dictionaries[language].shell()).shellStrings;
}

export async function loadPartStrings(language: Language): Promise<PartStrings> {
  return (await dictionaries[language].parts()).partStrings;
}

export function directionOf(language: Language): "ltr" | "rtl" {
  const rightToLeft: readonly string[] = ["ar"];
  return rightToLeft.includes(language) ? "rtl" : "ltr";
}
