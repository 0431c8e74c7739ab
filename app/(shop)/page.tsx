import { AskBand } from "#components/shop/home/ask-band.tsx";
import { CategoryTiles } from "#components/shop/home/category-tiles.tsx";
import { Hero } from "#components/shop/home/hero.tsx";
import { WorkshopBand } from "#components/shop/home/workshop-band.tsx";
import { ProductGrid } from "#components/shop/products/product-card.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { Section } from "#components/shop/site/section.tsx";
import { catalogue, isOnSale } from "#lib/shop/catalogue.ts";

const rowLength = 4;
const picks = catalogue.filter((product) => product.featured && !isOnSale(product)).slice(0, 2 * rowLength);
const bargains = catalogue.filter(isOnSale).slice(0, rowLength);

export default function HomePage() {
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
          <ProductGrid columns="four" products={picks} />
        </Section>
      </Page>
      <WorkshopBand />
      <Page>
        <Section id="sale" title="For less than before">
          <ProductGrid columns="four" products={bargains} />
        </Section>
        <AskBand />
      </Page>
    </>
  );
}
