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

/** The markets of a listing: the United Kingdom, the European Union, Japan or Kuwait. */
type Market = "gb" | "eu" | "jp" | "kw";

export interface ProductPrice {
  /** In the currency's main unit. */
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
  brand: string | null;
  category: CategoryId;
  inStock: boolean | null;
  clickAndCollectOnly: boolean;
  price: ProductPrice | null;
  market: Market;
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
  /** In every language except English. */
  i18n: Readonly<Partial<Record<Locale, { title: string; summary: string }>>>;
}

/** In the order of the catalogue. content.test.ts checks the file's shape. */
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

export const sortOrders = ["featured", "price-up", "price-down", "name"] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface CatalogueFilter {
  category?: CategoryId | undefined;
  brand?: string | undefined;
  colour?: string | undefined;
  /** Only products known to be in stock. */
  inStock?: boolean | undefined;
  /** Only products on sale. */
  onSale?: boolean | undefined;
  /** Each must begin a word of the title (in any language), brand, tags or summary. */
  words?: string | undefined;
  sort?: SortOrder | undefined;
}

export function filterProducts(filter: CatalogueFilter): ShopProduct[] {
  const words = wordsOf(filter.words ?? "");
  const found = catalogue.filter(
    (product) =>
      (filter.category === undefined || product.category === filter.category) &&
      (filter.brand === undefined || product.brand === filter.brand) &&
      (filter.colour === undefined || product.colours.includes(filter.colour)) &&
      (filter.inStock !== true || product.inStock === true) &&
      (filter.onSale !== true || isOnSale(product)) &&
      matchesWords(product, words),
  );
  return sortProducts(found, filter.sort ?? "featured");
}

export function isOnSale(product: ShopProduct): boolean {
  return product.price?.was != null;
}

function wordsOf(text: string): string[] {
  return text
    .toLocaleLowerCase("en")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function matchesWords(product: ShopProduct, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const own = wordsOf(
    [
      product.title,
      product.brand ?? "",
      product.summary,
      ...product.tags,
      ...Object.values(product.i18n).map(({ title }) => title),
    ].join(" "),
  );
  return words.every((word) => own.some((candidate) => candidate.startsWith(word)));
}

function sortProducts(found: ShopProduct[], order: SortOrder): ShopProduct[] {
  switch (order) {
    case "featured":
      return found.sort((a, b) => Number(b.featured) - Number(a.featured));
    case "name":
      return found.sort((a, b) => a.title.localeCompare(b.title, "en"));
    case "price-up":
      return found.sort(
        (a, b) => inSterling(a, Number.POSITIVE_INFINITY) - inSterling(b, Number.POSITIVE_INFINITY),
      );
    case "price-down":
      return found.sort((a, b) => inSterling(b, -1) - inSterling(a, -1));
  }
}

/** Only for sorting listings in several currencies; never shown. */
const roughSterling: Record<string, number> = { GBP: 1, EUR: 0.86, JPY: 0.0052, KWD: 2.45 };

function inSterling(product: ShopProduct, withoutPrice: number): number {
  const { price } = product;
  return price === null ? withoutPrice : price.amount * (roughSterling[price.currency] ?? 1);
}

/** Every brand in alphabetical order. */
export function brands(): string[] {
  return [...new Set(catalogue.flatMap(({ brand }) => brand ?? []))].sort((a, b) => a.localeCompare(b, "en"));
}

/** Every colour, in the order of the catalogue. */
export function colours(): string[] {
  return [...new Set(catalogue.flatMap((product) => product.colours))];
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
