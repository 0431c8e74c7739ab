/** The languages of the shop's content. The first is the default. */
export const locales = ["en", "de", "fr", "ar", "ja"] as const;
export type Locale = (typeof locales)[number];

/** Each language in its own name. */
export const localeNames: Record<Locale, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  ar: "العربية",
  ja: "日本語",
};

export function isLocale(value: string): value is Locale {
  return locales.some((locale) => locale === value);
}

export function directionOf(locale: Locale): "ltr" | "rtl" {
  return locale === "ar" ? "rtl" : "ltr";
}

/** The path of the help centre in a language. */
export function helpPath(locale: Locale): string {
  return locale === "en" ? "/help" : `/${locale}/help`;
}
