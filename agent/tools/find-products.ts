import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import {
  findProducts,
  type ProductFinding,
  type ProductQuery,
  productSorts,
} from "../knowledge/find-products.ts";
import { defineTool } from "./tool.ts";

const listOf = (description: string) => z.array(z.string()).readonly().optional().describe(description);
const pounds = z.number().optional().describe("In pounds sterling.");

const Input: z.ZodType<ProductQuery> = z.object({
  ids: listOf("Products by ID, for more about ones that are known."),
  kinds: listOf(
    "What kinds of things, as concepts: bike, helmet, jacket, gloves, light, bag, tool, part, tent, ...",
  ),
  traits: listOf(
    "What they must be, as concepts: gravel, cargo, electric, touring, children, waterproof, winter, ...",
  ),
  colours: listOf("Colours by the catalogue's names: red, slate, moss, lake, sand."),
  sizes: listOf("Sizes as on the label: XS, S, M, L, XL, 700C."),
  brand: z.string().optional(),
  maxPrice: pounds,
  minPrice: pounds,
  onlyInStock: z.boolean().optional(),
  onlySale: z.boolean().optional(),
  store: z.string().optional().describe("ID of a shop that must have it: kelderby, brackwater, ostle-quay."),
  sort: z.enum(productSorts).optional(),
});

export const findProductsTool = defineTool<ProductQuery, ProductFinding>({
  name: "find_products",
  description:
    "Finds products of the catalogue by kind, use, colour, size, price or stock, with their true prices and stock. The customer sees the first three as cards. Never state a price or stock level that it does not return.",
  input: Input,
  run: (input, { shop }) => findProducts(shop.catalogue, input),
  report: ({ items, unmet }) => ({
    unmet,
    total: items.length,
    products: items.slice(0, 10).map(({ product, card }) => {
      const { colours, sizes, summary, specs } = product;
      return { ...card, colours, sizes, summary, specs };
    }),
  }),
  shows: ({ items }) => ({ products: items.slice(0, limits.productsPerMessage).map((item) => item.card) }),
});
