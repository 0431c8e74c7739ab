import { limits } from "#lib/chat-api/limits.ts";
import { findProducts, ProductQuery } from "../knowledge/find-products.ts";
import { defineTool } from "./tool.ts";

export const findProductsTool = defineTool({
  description:
    "Finds products of the catalogue by kind, use, colour, size, price or stock, with their true prices and stock. The customer sees the first three as cards. Never state a price or stock level that it does not return.",
  input: ProductQuery.omit({ words: true }),
  use(input, { shop }) {
    const { items, unmet } = findProducts(shop.catalogue, input);
    const products = items.slice(0, 10).map(({ product, card }) => {
      const { colours, sizes, summary, specs } = product;
      return { ...card, colours, sizes, summary, specs };
    });
    const cards = items.slice(0, limits.productsPerMessage).map((item) => item.card);
    return { report: { unmet, total: items.length, products }, shows: { products: cards } };
  },
});
