import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { HelpCentre } from "#components/shop/help/help-centre.tsx";
import helpWords from "#components/shop/help/help-words.json" with { type: "json" };
import { Page } from "#components/shop/site/page.tsx";
import { helpPath, isLocale, type Locale, locales } from "#lib/shop/locales.ts";

/** English URLs have no locale segment. */
export interface LocaleParams {
  locale?: string;
}

interface CentreProps {
  params: Promise<LocaleParams>;
  searchParams: Promise<{ q?: string | string[] }>;
}

export function requireLocale({ locale }: LocaleParams): Locale {
  if (locale === undefined) return "en";
  if (!isLocale(locale) || locale === "en") notFound();
  return locale;
}

export async function generateMetadata({ params }: Pick<CentreProps, "params">): Promise<Metadata> {
  const locale = requireLocale(await params);
  return {
    title: helpWords[locale].centre,
    description: helpWords[locale].lead,
    alternates: {
      canonical: helpPath(locale),
      languages: Object.fromEntries(locales.map((other) => [other, helpPath(other)])),
    },
  };
}

/** The search takes time for each word. */
const longestQuery = 200;

/** The help centre, in every language. `?q=words` searches it. */
export default async function CentrePage({ params, searchParams }: CentreProps) {
  const { q = "" } = await searchParams;
  return (
    <Page>
      <HelpCentre locale={requireLocale(await params)} query={String(q).trim().slice(0, longestQuery)} />
    </Page>
  );
}
