/** The tools that only a model needs. */
import { z } from "zod";
import { limits } from "#lib/chat-api/limits.ts";
import { findHelp } from "../knowledge/find-help.ts";
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

export const searchHelpTool = defineTool({
  input: z.object({ question: z.string() }),
  use({ question }, { shop, turn, language }) {
    const reading = shop.read(question, language);
    // The sections of the likeliest intents, then the whole pages'.
    const likely = shop.intents
      .rank(reading, ({ help }) => Number(help !== undefined))
      .slice(0, 2)
      .flatMap(({ row }) => (row.help ?? []).map((name) => shop.help.section(name, language)));
    const found = [...findHelp(shop.help, reading, { of: likely }), ...findHelp(shop.help, reading)];
    const passages = [...new Set(found.map(({ passage }) => passage))].slice(0, 4);
    const citations = passages.map((passage) => shop.cite(passage, turn.now));
    const report = passages.map((each, at) => ({ ...citations[at], text: each.section.sentences.join(" ") }));
    return { report, shows: { citations: citations.slice(0, 3) } };
  },
});

export const suggestRepliesTool = defineTool({
  input: z.object({ replies: z.array(z.string().min(1).max(80)).min(1).max(6) }),
  use: ({ replies }) => ({ report: { shown: true }, shows: { choices: replies } }),
});
