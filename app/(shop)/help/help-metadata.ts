import type { Metadata } from "next";
import { helpPath, helpWords } from "#components/shop/help/help-words.ts";
import { type HelpPage, translationsOf } from "#lib/shop/help.ts";
import { type Locale, locales } from "#lib/shop/locales.ts";

export function centreMetadata(locale: Locale): Metadata {
  return {
    title: helpWords[locale].centre,
    description: helpWords[locale].lead,
    alternates: {
      canonical: helpPath(locale),
      languages: Object.fromEntries(locales.map((other) => [other, helpPath(other)])),
    },
  };
}

export function articleMetadata(page: HelpPage): Metadata {
  return {
    title: page.title,
    description: page.summary,
    alternates: {
      canonical: page.path,
      languages: Object.fromEntries(translationsOf(page).map(({ locale, path }) => [locale, path])),
    },
  };
}

/** The search query. Longer texts are not queries. */
export function readQuery(value: string | string[] | undefined): string {
  const maxLength = 120;
  return (Array.isArray(value) ? (value[0] ?? "") : (value ?? "")).trim().slice(0, maxLength);
}
