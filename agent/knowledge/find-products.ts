import type { CatalogueItem } from "./catalogue.ts";

export const productSorts = [
  "cheapest",
  "dearest",
  "lightest",
  "heaviest",
  "brightest",
  "largest",
  "smallest",
  "warmest",
] as const;
export type ProductSort = (typeof productSorts)[number];

/** The criteria of a product search; unspecified ones match every product. */
export interface ProductQuery {
  ids?: readonly string[] | undefined;
  /** The product must be one of these. */
  kinds?: readonly string[] | undefined;
  /**
   * Stems of the customer's words. Of the products that match, those with most of them are meant.
   */
  words?: readonly string[] | undefined;
  /** The product must have all of these. */
  traits?: readonly string[] | undefined;
  colours?: readonly string[] | undefined;
  sizes?: readonly string[] | undefined;
  brand?: string | undefined;
  /** `maxPrice` and `minPrice` are in pounds sterling. */
  maxPrice?: number | undefined;
  minPrice?: number | undefined;
  onlyInStock?: boolean | undefined;
  onlySale?: boolean | undefined;
  /** ID of a shop that has the product on the shelf. */
  store?: string | undefined;
  sort?: ProductSort | undefined;
}

export interface ProductFinding {
  /** All matches, best first. */
  items: readonly CatalogueItem[];
  /** Criteria that were dropped one by one, in the order of `negotiable`, until a product matched. */
  unmet: readonly (keyof ProductQuery)[];
}

/** The order in which criteria are dropped when no product meets all of them. */
const negotiable = [
  "store",
  "onlyInStock",
  "onlySale",
  "sizes",
  "colours",
  "maxPrice",
  "minPrice",
  "traits",
] as const;

export function findProducts(catalogue: readonly CatalogueItem[], wanted: ProductQuery): ProductFinding {
  const candidates = ofKinds(catalogue, wanted);
  const unmet: (typeof negotiable)[number][] = [];
  let query = wanted;
  let items = candidates.filter((item) => meets(item, query));
  for (const wish of negotiable) {
    if (items.length > 0) break;
    if (query[wish] === undefined) continue;
    // Another kind of bike is no answer to a wish for one.
    if (wish === "traits" && (query.kinds ?? ["bike"]).includes("bike")) continue;
    const { [wish]: _dropped, ...rest } = query;
    query = rest;
    unmet.push(wish);
    items = candidates.filter((item) => meets(item, query));
  }
  // Customers who name a budget usually want products close to it, not the cheapest ones.
  const sort = wanted.sort ?? (wanted.maxPrice === undefined ? undefined : "dearest");
  return { items: sortItems(withMostWords(byFitness(items, query), wanted.words ?? []), sort), unmet };
}

/**
 * Sorts products of a wanted kind before others that are only suited to it: a touring bike comes before a
 * gravel bike for touring.
 */
function byFitness(items: readonly CatalogueItem[], { traits = [] }: ProductQuery): CatalogueItem[] {
  const fitness = (item: CatalogueItem) => traits.filter((trait) => item.kinds.has(trait)).length;
  return items.toSorted((a, b) => fitness(b) - fitness(a));
}

/** The items with most of the words that tell them apart, in title or tags. */
function withMostWords(items: readonly CatalogueItem[], words: readonly string[]): readonly CatalogueItem[] {
  const telling = words.filter((word) => !items.every((item) => item.words.has(word)));
  const count = (item: CatalogueItem) => telling.filter((word) => item.words.has(word)).length;
  const most = Math.max(0, ...items.map(count));
  return most > 0 ? items.filter((item) => count(item) === most) : items;
}

function ofKinds(catalogue: readonly CatalogueItem[], query: ProductQuery): readonly CatalogueItem[] {
  if (query.ids) return catalogue.filter((item) => query.ids?.includes(item.product.id));
  const { kinds = [] } = query;
  if (kinds.length === 0) return catalogue;
  return kinds.flatMap((kind) => catalogue.filter((item) => item.kinds.has(kind)));
}

function meets(item: CatalogueItem, query: ProductQuery): boolean {
  const { product } = item;
  const amount = product.price?.currency === "GBP" ? product.price.amount : undefined;
  return (
    (query.traits ?? []).every((trait) => hasTrait(item, trait)) &&
    (query.colours?.some((colour) => product.colours.includes(colour)) ?? true) &&
    (query.sizes?.some((size) => product.sizes.some((own) => own.toLowerCase() === size.toLowerCase())) ??
      true) &&
    (query.brand === undefined || product.brand?.toLowerCase() === query.brand.toLowerCase()) &&
    (query.maxPrice === undefined || (amount !== undefined && amount <= query.maxPrice)) &&
    (query.minPrice === undefined || (amount !== undefined && amount >= query.minPrice)) &&
    (!query.onlyInStock || product.inStock === true) &&
    (!query.onlySale || (product.price?.was ?? null) !== null) &&
    (query.store === undefined || product.stores.includes(query.store))
  );
}

function hasTrait(item: CatalogueItem, trait: string): boolean {
  return item.kinds.has(trait) || item.traits.has(trait);
}

/** How much a bag, a bottle or a bike holds. */
function sizeOf({ product: { attributes } }: CatalogueItem): number | undefined {
  const size = attributes["volumeLitres"] ?? attributes["loadKg"] ?? attributes["volumeMl"];
  return typeof size === "number" ? size : undefined;
}

/**
 * Sorts the products. Prices in different currencies are not compared: products without a price in pounds
 * come last.
 */
function sortItems(items: readonly CatalogueItem[], sort: ProductSort | undefined): CatalogueItem[] {
  const unique = [...new Set(items)];
  const number = (value: unknown) => (typeof value === "number" ? value : undefined);
  const amount = ({ product }: CatalogueItem) =>
    product.price?.currency === "GBP" ? product.price.amount : undefined;
  const by = (value: (item: CatalogueItem) => number | undefined, direction: 1 | -1) =>
    unique.sort((a, b) => {
      const one = value(a);
      const other = value(b);
      if (one === undefined || other === undefined)
        return Number(one === undefined) - Number(other === undefined);
      return (one - other) * direction;
    });
  switch (sort) {
    case "cheapest":
      return by(amount, 1);
    case "dearest":
      return by(amount, -1);
    case "lightest":
      return by(({ product }) => number(product.attributes["weightKg"]), 1);
    case "heaviest":
      return by(({ product }) => number(product.attributes["weightKg"]), -1);
    case "brightest":
      return by(({ product }) => number(product.attributes["lumens"]), -1);
    case "largest":
      return by(sizeOf, -1);
    case "smallest":
      return by(sizeOf, 1);
    case "warmest":
      return by((item) => Number(item.traits.has("winter")), -1);
    case undefined:
      return unique.sort((a, b) => Number(a.product.market !== "gb") - Number(b.product.market !== "gb"));
  }
}
