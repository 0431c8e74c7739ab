import type { Metadata } from "next";
import { CategoryNav } from "#components/shop/products/category-nav.tsx";
import { ProductGrid } from "#components/shop/products/product-card.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import visually from "#components/ui/visually.module.css";
import { categories, productsIn } from "#lib/shop/catalogue.ts";

interface CatalogueProps {
  searchParams: Promise<{ category?: string | string[] }>;
}

/** Undefined for the whole catalogue, and for a category that does not exist. */
async function categoryOf({ searchParams }: CatalogueProps) {
  const [wanted] = [(await searchParams).category].flat();
  return categories.find(({ id }) => id === wanted);
}

const wholeShop = "The whole shop";

export async function generateMetadata(props: CatalogueProps): Promise<Metadata> {
  const category = await categoryOf(props);
  return {
    title: category?.name ?? wholeShop,
    description: "Bicycles, helmets, clothing, lights, bags, tools and camping gear.",
    alternates: { canonical: category === undefined ? "/products" : `/products?category=${category.id}` },
  };
}

export default async function CataloguePage(props: CatalogueProps) {
  const category = await categoryOf(props);
  return (
    <Page>
      <PageHeader title={category?.name ?? wholeShop} trail={[{ href: "/", label: "Home" }]} />
      <CategoryNav current={category?.id} />
      <h2 className={visually["hidden"]}>Products</h2>
      <ProductGrid eager={4} products={productsIn(category?.id)} />
    </Page>
  );
}
