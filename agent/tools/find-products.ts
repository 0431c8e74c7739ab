import { limits } from "#lib/chat-api/limits.ts";
import { findProducts, ProductQuery } from "../knowledge/find-products.ts";
import { defineTool } from "./tool.ts";

export const findProductsTool = defineTool({
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
