import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import type { CatalogueItem } from "../knowledge/catalogue.ts";
import { type Concept, isConcept } from "../language/concept-lexicon.ts";
import type { Tool } from "./tool.ts";

const sorts = ["cheapest", "dearest", "lightest", "heaviest", "brightest"] as const;
export type ProductSort = (typeof sorts)[number];

const Input = z.object({
  ids: z.array(z.string()).optional().describe("Products by ID, for more about ones that are known."),
  kinds: z
    .array(z.string())
    .optional()
    .describe(
      "What kinds of things, as concepts: bike, helmet, jacket, gloves, light, bag, tool, part, tent, ...",
    ),
  traits: z
    .array(z.string())
    .optional()
    .describe(
      "What they must be, as concepts: gravel, cargo, electric, touring, children, waterproof, winter, ...",
    ),
  colours: z
    .array(z.string())
    .optional()
    .describe("Colours by the catalogue's names: red, slate, moss, lake, sand."),
  sizes: z.array(z.string()).optional().describe("Sizes as on the label: XS, S, M, L, XL, 700C."),
  brand: z.string().optional(),
  maxPrice: z.number().optional().describe("In pounds sterling."),
  minPrice: z.number().optional().describe("In pounds sterling."),
  onlyInStock: z.boolean().optional(),
  onlySale: z.boolean().optional(),
  store: z.string().optional().describe("ID of a shop that must have it: kelderby, brackwater, ostle-quay."),
  sort: z.enum(sorts).optional(),
});
export type ProductQuery = z.infer<typeof Input>;

export interface ProductFinding {
  /** Everything that matches, the best first. */
  items: readonly CatalogueItem[];
  /** What no product had together with the rest, and was therefore left out. */
  unmet: readonly (keyof ProductQuery)[];
}

/** Wishes that are given up, in this order, when no product meets all. */
const negotiable = ["store", "onlyInStock", "onlySale", "sizes", "colours", "maxPrice", "minPrice"] as const;

export const findProductsTool: Tool<ProductQuery, ProductFinding> = {
  name: "find_products",
  description:
    "Finds products of the catalogue by kind, use, colour, size, price or stock, with their true prices and stock. The customer sees the first three as cards. Never state a price or stock level that it does not return.",
  input: Input,
  run(input, { shop }) {
    const candidates = ofKinds(shop.catalogue, input);
    const unmet: (typeof negotiable)[number][] = [];
    let query = input;
    let items = candidates.filter((item) => meets(item, query));
    for (const wish of negotiable) {
      if (items.length > 0) break;
      if (query[wish] === undefined) continue;
      const { [wish]: _dropped, ...rest } = query;
      query = rest;
      unmet.push(wish);
      items = candidates.filter((item) => meets(item, query));
    }
    return { items: sortItems(items, input.sort), unmet };
  },
  report: ({ items, unmet }) => ({
    unmet,
    total: items.length,
    products: items.slice(0, 10).map(({ product }) => ({
      id: product.id,
      title: product.title,
      brand: product.brand,
      price: product.price,
      inStock: product.inStock,
      clickAndCollectOnly: product.clickAndCollectOnly,
      colours: product.colours,
      sizes: product.sizes,
      summary: product.summary,
      specs: product.specs,
    })),
  }),
  events: ({ items }) => [
    { type: "products", products: items.slice(0, limits.productsPerMessage).map((item) => item.card) },
  ],
};

/** Items that are of one of the kinds; those that only have to do with it when none is. */
function ofKinds(catalogue: readonly CatalogueItem[], input: ProductQuery): readonly CatalogueItem[] {
  if (input.ids) return catalogue.filter((item) => input.ids?.includes(item.product.id));
  const kinds = (input.kinds ?? []).filter(isConcept);
  if (kinds.length === 0) return catalogue;
  return kinds.flatMap((kind) => {
    const proper = catalogue.filter((item) => item.kinds.has(kind));
    return proper.length > 0 ? proper : catalogue.filter((item) => item.traits.has(kind));
  });
}

function meets(item: CatalogueItem, query: ProductQuery): boolean {
  const { product } = item;
  const amount = product.price?.currency === "GBP" ? product.price.amount : undefined;
  return (
    (query.traits ?? []).filter(isConcept).every((trait) => hasTrait(item, trait)) &&
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

function hasTrait(item: CatalogueItem, trait: Concept): boolean {
  return item.kinds.has(trait) || item.traits.has(trait);
}

/** Prices in different currencies are not compared: other markets' listings come last. */
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
    case undefined:
      return unique.sort((a, b) => Number(a.product.market !== "gb") - Number(b.product.market !== "gb"));
  }
}
