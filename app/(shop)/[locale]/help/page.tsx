import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { HelpCentre } from "#components/shop/help/help-centre.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { isLocale, type Locale } from "#lib/shop/locales.ts";
import { centreMetadata, readQuery } from "../../help/help-metadata.ts";

type CentreProps = PageProps<"/[locale]/help">;

async function requireLocale({ params }: CentreProps): Promise<Locale> {
  const { locale } = await params;
  // English URLs have no language.
  if (!isLocale(locale) || locale === "en") notFound();
  return locale;
}

export async function generateMetadata(props: CentreProps): Promise<Metadata> {
  return centreMetadata(await requireLocale(props));
}

export default async function TranslatedHelpPage(props: CentreProps) {
  const locale = await requireLocale(props);
  const { q } = await props.searchParams;
  return (
    <Page>
      <HelpCentre locale={locale} query={readQuery(q)} />
    </Page>
  );
}
