import { z } from "zod";
import prompts from "../prompts.json" with { type: "json" };
import { type CatalogueItem, hasTrait, poundsOf } from "./catalogue.ts";
/** The order of products: attributes, of which the first that a product has counts; -1 is downwards. */
import sorts from "./sorts.json" with { type: "json" };

export type ProductSort = keyof typeof sorts;

export function isProductSort(key: string): key is ProductSort {
  return key in sorts;
}

const list = z.array(z.string()).readonly().optional();
const pounds = z.number().optional().describe("In pounds sterling.");
const wish = z.boolean().optional();

/** The criteria of a product search, described for a model; unspecified ones match every product. */
export const ProductQuery = z.object({
  ids: list.describe("Products by ID, for more about ones that are known."),
  kinds: list.describe(prompts.criteria.kinds),
  /** Stems of the customer's words. Of the products that match, those with most of them are meant. */
  words: list,
  traits: list.describe(prompts.criteria.traits),
  colours: list.describe("Colours by the catalogue's names: red, slate, moss, lake, sand."),
  sizes: list.describe("Sizes as on the label: XS, S, M, L, XL, 700C."),
  brand: z.string().optional(),
  maxPrice: pounds,
  minPrice: pounds,
  onlyInStock: wish,
  onlySale: wish,
  store: z.string().optional().describe("ID of a shop that must have it: kelderby, brackwater, ostle-quay."),
  currency: z.string().optional().describe("The price's currency, by its ISO 4217 code: GBP, EUR, JPY, KWD."),
  sort: z.enum(Object.keys(sorts).filter(isProductSort)).optional(),
});
export type ProductQuery = z.infer<typeof ProductQuery>;

/** The order in which criteria are dropped when no product meets all of them. */
const negotiable = [
  ...(["store", "onlyInStock", "onlySale", "currency", "sizes", "colours"] as const),
  ...(["maxPrice", "minPrice", "traits"] as const),
];

/** `items`: all matches, best first. `unmet`: criteria that were dropped one by one until one matched. */
export function findProducts(catalogue: readonly CatalogueItem[], wanted: ProductQuery) {
  const { ids, kinds = [], words = [] } = wanted;
  const candidates = ids
    ? catalogue.filter((item) => ids.includes(item.product.id))
    : kinds.length > 0
      ? kinds.flatMap((kind) => catalogue.filter((item) => item.kinds.has(kind)))
      : catalogue;
  const unmet: (keyof ProductQuery)[] = [];
  let query = wanted;
  let items = candidates.filter((item) => meets(item, query));
  for (const wish of negotiable) {
    if (items.length > 0) break;
    // Another kind of bike is no answer to a wish for one.
    if (query[wish] === undefined || (wish === "traits" && (query.kinds ?? ["bike"]).includes("bike")))
      continue;
    query = { ...query, [wish]: undefined };
    unmet.push(wish);
    items = candidates.filter((item) => meets(item, query));
  }
  // A listing for another market is shown if its currency is asked for, or if there is none in stock here.
  const isHere = ({ product: { market, inStock } }: CatalogueItem) => market === "gb" && inStock === true;
  const isListedHere = (item: CatalogueItem) =>
    items.some((other) => isHere(other) && other.name !== "" && other.name === item.name);
  if (query.currency === undefined)
    items = items.filter((item) => item.product.market === "gb" || !isListedHere(item));
  // Customers who name a budget usually want products close to it, not the cheapest ones.
  const nearest = unmet.includes("maxPrice") ? "cheapest" : "dearest";
  const sort = wanted.sort ?? (wanted.maxPrice === undefined ? undefined : nearest);
  return { items: sortItems(withMostWords([...new Set(items)], words), sort), unmet };
}

/** The items with most of the words, in title or tags. */
function withMostWords(items: readonly CatalogueItem[], words: readonly string[]): readonly CatalogueItem[] {
  const count = (item: CatalogueItem) => words.filter((word) => item.words.has(word)).length;
  const most = Math.max(0, ...items.map(count));
  return items.filter((item) => count(item) === most);
}

function meets(item: CatalogueItem, query: ProductQuery): boolean {
  const { product } = item;
  const amount = poundsOf(item);
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return (
    (query.traits ?? []).every((trait) => hasTrait(item, trait)) &&
    (query.colours?.some((colour) => product.colours.includes(colour)) ?? true) &&
    (query.sizes?.some((size) => product.sizes.some((own) => isSame(own, size))) ?? true) &&
    (query.brand === undefined || isSame(product.brand ?? "", query.brand)) &&
    (query.maxPrice === undefined || (amount !== undefined && amount <= query.maxPrice)) &&
    (query.minPrice === undefined || (amount !== undefined && amount >= query.minPrice)) &&
    (!query.onlyInStock || product.inStock === true) &&
    (!query.onlySale || (product.price?.was ?? null) !== null) &&
    (query.currency === undefined || product.price?.currency === query.currency) &&
    (query.store === undefined || product.stores.includes(query.store))
  );
}

/** Sorts the products; those without the measure come last, such as prices in another currency. */
function sortItems(items: readonly CatalogueItem[], sort: ProductSort | undefined): CatalogueItem[] {
  const rank = (item: CatalogueItem) =>
    sort === undefined ? Number(item.product.market !== "gb") : placeOf(item, sort);
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** The measure by which a product is sorted, the lowest first; infinite if it does not have the measure. */
export function placeOf(item: CatalogueItem, sort: ProductSort): number {
  const { by, direction } = sorts[sort];
  const known: Readonly<Record<string, unknown>> = {
    ...item.product.attributes,
    price: poundsOf(item),
    winter: Number(item.traits.has("winter")),
  };
  const value = by.map((name) => known[name]).find((each) => typeof each === "number");
  return typeof value === "number" ? value * direction : Number.POSITIVE_INFINITY;
}
