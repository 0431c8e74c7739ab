/** The catalogue: typed access to products.json, and the queries of the pages. */
import type { Product } from "../chat-client/public.ts";
import type { Locale } from "./locales.ts";
import products from "./products.json" with { type: "json" };

export const categories = [
  { id: "bikes", name: "Bikes" },
  { id: "parts", name: "Parts and wheels" },
  { id: "helmets", name: "Helmets" },
  { id: "clothing", name: "Clothing" },
  { id: "lights", name: "Lights" },
  { id: "tools", name: "Tools" },
  { id: "luggage", name: "Bags" },
  { id: "camp", name: "Camping" },
  { id: "gifts", name: "Gifts" },
  { id: "services", name: "Workshop" },
] as const;
export type CategoryId = (typeof categories)[number]["id"];

/** The markets of a listing, in words. */
export const markets = {
  gb: { short: "UK", long: "the United Kingdom" },
  eu: { short: "for the EU", long: "countries of the European Union" },
  jp: { short: "for Japan", long: "Japan" },
  kw: { short: "for Kuwait", long: "Kuwait" },
} as const;

export interface ProductPrice {
  /** Amount in the currency's main unit. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  was: number | null;
  from: boolean;
}

export interface ShopProduct {
  id: string;
  slug: string;
  title: string;
  /** Names that customers use, in every script that they write it in; products can share them. */
  names: readonly string[];
  brand: string | null;
  category: CategoryId;
  inStock: boolean | null;
  clickAndCollectOnly: boolean;
  price: ProductPrice | null;
  market: keyof typeof markets;
  /** Relative to the shop's origin. */
  image: string | null;
  /** Relative to the shop's origin. Null if the product has no page. */
  path: string | null;
  featured: boolean;
  tags: readonly string[];
  colours: readonly string[];
  sizes: readonly string[];
  /** IDs of the shops that have it in stock. */
  stores: readonly string[];
  summary: string;
  description: readonly string[];
  specs: readonly { label: string; value: string }[];
  attributes: Readonly<Record<string, unknown>>;
  /** Texts in every language except English. */
  i18n: Readonly<Partial<Record<Locale, { title: string; summary: string }>>>;
}

/** The products in the order of the catalogue. content.test.ts checks the file's shape. */
export const catalogue = products as readonly ShopProduct[];

/** The product with this slug; undefined for unknown slugs and for products without a page. */
export function findProduct(slug: string): ShopProduct | undefined {
  return catalogue.find((product) => product.slug === slug && product.path !== null);
}

/** The product as the Chat API shows it, with absolute URLs. `shopOrigin` has no trailing slash. */
export function productCard(product: ShopProduct, shopOrigin: string): Product {
  const { id, title, brand, inStock, clickAndCollectOnly, price, image, path } = product;
  return {
    id,
    title,
    brand,
    imageUrl: image === null ? null : shopOrigin + image,
    productUrl: path === null ? null : shopOrigin + path,
    inStock,
    clickAndCollectOnly,
    price,
  };
}

/** The products of a category, or all of them; featured products first. */
export function productsIn(category: CategoryId | undefined): ShopProduct[] {
  return catalogue
    .filter((product) => category === undefined || product.category === category)
    .sort((a, b) => Number(b.featured) - Number(a.featured));
}

export function isOnSale(product: ShopProduct): boolean {
  return product.price?.was != null;
}

/** Up to `count` other products with a page, closest first by category, shared tags and brand. */
export function relatedProducts(product: ShopProduct, count: number): ShopProduct[] {
  const closeness = (other: ShopProduct) =>
    (other.category === product.category ? 3 : 0) +
    other.tags.filter((tag) => product.tags.includes(tag)).length +
    (other.brand !== null && other.brand === product.brand ? 1 : 0);
  return catalogue
    .filter((other) => other.id !== product.id && other.path !== null)
    .sort((a, b) => closeness(b) - closeness(a))
    .slice(0, count);
}
