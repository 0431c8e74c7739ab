import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { HelpArticle } from "#components/shop/help/help-article.tsx";
import { helpData } from "#components/shop/help/help-data.ts";
import { Page } from "#components/shop/site/page.tsx";
import { StructuredData } from "#components/shop/site/structured-data.tsx";
import { findHelpPage, type HelpPage } from "#lib/shop/help.ts";
import { isLocale } from "#lib/shop/locales.ts";
import { articleMetadata } from "../../../help/help-metadata.ts";

type ArticleProps = PageProps<"/[locale]/help/[slug]">;

async function requirePage({ params }: ArticleProps): Promise<HelpPage> {
  const { locale, slug } = await params;
  const page = isLocale(locale) && locale !== "en" ? findHelpPage(slug, locale) : undefined;
  if (page === undefined) notFound();
  return page;
}

export async function generateMetadata(props: ArticleProps): Promise<Metadata> {
  return articleMetadata(await requirePage(props));
}

export default async function TranslatedArticlePage(props: ArticleProps) {
  const page = await requirePage(props);
  return (
    <Page>
      <StructuredData data={helpData(page)} />
      <HelpArticle now={new Date()} page={page} />
    </Page>
  );
}
