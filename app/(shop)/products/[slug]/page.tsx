import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ProductGrid } from "#components/shop/products/product-card.tsx";
import { ProductDetail } from "#components/shop/products/product-detail.tsx";
import { Page } from "#components/shop/site/page.tsx";
import { Section } from "#components/shop/site/section.tsx";
import { findProduct, relatedProducts, type ShopProduct } from "#lib/shop/catalogue.ts";

interface ProductProps {
  params: Promise<{ slug: string }>;
}

async function requireProduct({ params }: ProductProps): Promise<ShopProduct> {
  const product = findProduct((await params).slug);
  if (product === undefined) notFound();
  return product;
}

export async function generateMetadata(props: ProductProps): Promise<Metadata> {
  const product = await requireProduct(props);
  return {
    title: product.title,
    description: product.summary,
    alternates: { canonical: product.path },
    openGraph: { title: product.title, description: product.summary },
  };
}

export default async function ProductPage(props: ProductProps) {
  const product = await requireProduct(props);
  return (
    <Page>
      <ProductDetail product={product} />
      <Section id="related" title="You may also like">
        <ProductGrid columns="four" products={relatedProducts(product, 4)} />
      </Section>
    </Page>
  );
}
