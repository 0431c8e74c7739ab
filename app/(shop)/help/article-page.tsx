import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { HelpArticle } from "#components/shop/help/help-article.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { findHelpPage, type HelpPage, translationsOf } from "#lib/shop/help.ts";
import { type LocaleParams, requireLocale } from "./centre-page.tsx";

interface ArticleProps {
  params: Promise<LocaleParams & { slug: string }>;
}

async function requirePage({ params }: ArticleProps): Promise<HelpPage> {
  const { slug, ...given } = await params;
  const page = findHelpPage(slug, requireLocale(given));
  if (page === undefined) notFound();
  return page;
}

export async function generateMetadata(props: ArticleProps): Promise<Metadata> {
  const page = await requirePage(props);
  return {
    title: page.title,
    description: page.summary,
    alternates: {
      canonical: page.path,
      languages: Object.fromEntries(translationsOf(page).map(({ locale, path }) => [locale, path])),
    },
  };
}

/** A page of the help centre, in every language. */
export default async function ArticlePage(props: ArticleProps) {
  const page = await requirePage(props);
  return (
    <Page>
      <HelpArticle now={new Date()} page={page} />
    </Page>
  );
}
