import type { Metadata } from "next";
import { CatalogueResults } from "#components/shop/products/catalogue-results.tsx";
import { readFilters, type SearchParams } from "#components/shop/products/chosen-filters.ts";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { categories } from "#lib/shop/catalogue.ts";

interface CatalogueProps {
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ searchParams }: CatalogueProps): Promise<Metadata> {
  const { chosen } = readFilters(await searchParams);
  return {
    title: titleOf(chosen.category),
    description: "Bicycles, helmets, clothing, lights, bags, tools and camping gear.",
    alternates: { canonical: chosen.category === "" ? "/products" : `/products?category=${chosen.category}` },
  };
}

export default async function CataloguePage({ searchParams }: CatalogueProps) {
  const { filter, chosen } = readFilters(await searchParams);
  return (
    <Page>
      <PageHeader title={titleOf(chosen.category)} trail={[{ href: "/", label: "Home" }]} />
      <CatalogueResults chosen={chosen} filter={filter} />
    </Page>
  );
}

function titleOf(category: string): string {
  return categories.find(({ id }) => id === category)?.name ?? "The whole shop";
}
