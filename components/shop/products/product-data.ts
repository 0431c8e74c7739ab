/** A product as schema.org data. */
import type { ShopProduct } from "#lib/shop/catalogue.ts";

export function productData(product: ShopProduct, origin: string): Record<string, unknown> {
  return {
    "@type": "Product",
    name: product.title,
    description: product.summary,
    sku: product.id,
    ...(product.brand === null ? {} : { brand: { "@type": "Brand", name: product.brand } }),
    ...(product.image === null ? {} : { image: `${origin}${product.image}` }),
    ...(product.price === null ? {} : { offers: offerOf(product, product.price, origin) }),
  };
}

function offerOf(product: ShopProduct, price: NonNullable<ShopProduct["price"]>, origin: string) {
  return {
    "@type": price.from ? "AggregateOffer" : "Offer",
    ...(price.from ? { lowPrice: price.amount } : { price: price.amount }),
    priceCurrency: price.currency,
    url: `${origin}${product.path}`,
    ...(product.inStock === null ? {} : { availability: availabilityOf(product) }),
  };
}

function availabilityOf({ inStock, clickAndCollectOnly }: ShopProduct): string {
  const word = inStock ? (clickAndCollectOnly ? "InStoreOnly" : "InStock") : "OutOfStock";
  return `https://schema.org/${word}`;
}
