/** The languages that the agent understands and answers in. */
export const languages = ["en", "de", "fr", "ar", "ja"] as const;
export type Language = (typeof languages)[number];

/** The agent's language for a BCP 47 tag; English for those that it does not speak. */
export function languageOfLocale(locale: string): Language {
  const primary = locale.toLowerCase().split("-")[0];
  return languages.find((language) => language === primary) ?? "en";
}
