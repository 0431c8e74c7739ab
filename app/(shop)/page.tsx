import { connection } from "next/server";
import { AskBand } from "#components/shop/home/ask-band.tsx";
import { CategoryTiles } from "#components/shop/home/category-tiles.tsx";
import { Hero } from "#components/shop/home/hero.tsx";
import { WorkshopBand } from "#components/shop/home/workshop-band.tsx";
import { ProductGrid } from "#components/shop/products/product-card.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { Section } from "#components/shop/site/section.tsx";
import { StoreList } from "#components/shop/stores/store-list.tsx";
import { catalogue, filterProducts } from "#lib/shop/catalogue.ts";

const onSaleHere = filterProducts({ onSale: true }).filter(({ market }) => market === "gb");

export default async function HomePage() {
  await connection();
  return (
    <>
      <Hero />
      <Page>
        <Section
          id="categories"
          more={{ href: "/products", label: "Everything" }}
          title="What are you after?"
        >
          <CategoryTiles />
        </Section>
        <Section id="picks" title="Our picks">
          <ProductGrid products={catalogue.filter(({ featured }) => featured)} />
        </Section>
      </Page>
      <WorkshopBand />
      <Page>
        <Section
          id="sale"
          more={{ href: "/products?sale=1", label: "All of the sale" }}
          title="For less than before"
        >
          <ProductGrid products={onSaleHere.slice(0, 5)} />
        </Section>
        <AskBand />
        <Section id="shops" more={{ href: "/stores", label: "Hours and directions" }} title="Three shops">
          <StoreList now={new Date()} />
        </Section>
      </Page>
    </>
  );
}
