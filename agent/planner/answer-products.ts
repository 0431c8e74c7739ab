import { limits } from "#lib/chat-api/limits.ts";
import type { Citation } from "#lib/chat-api/message.ts";
import type { CatalogueItem } from "../knowledge/catalogue.ts";
import type { ProductQuery } from "../knowledge/find-products.ts";
import { detailsOf } from "../knowledge/product-details.ts";
import { listOf, nameOf, say } from "../language/replies.ts";
import { findProductsTool } from "../tools/find-products.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { ProductWish, Wish } from "../understanding/dialogue.ts";
import type { Answer } from "./answer.ts";
import { formatColours, formatList, formatPrice, joinSentences, titleOf } from "./format.ts";

/** A wish about products, with the text that asks for details. */
type Request = ProductWish & Pick<Wish, "reading">;

export function answerProducts(request: Request, context: ToolContext): Answer {
  const { language } = context;
  if (request.mode === "advice")
    return {
      text: say(language, "askPreamble"),
      ask: say(language, "askQuestion"),
      choices: listOf(language, "askChoices"),
      products: findProductsTool
        .run({ kinds: ["bike"] }, context)
        .items.slice(0, limits.productsPerMessage)
        .map(({ card }) => card),
    };
  if (request.mode === "which")
    return { text: "", ask: say(language, "whichProduct"), choices: listOf(language, "productsChoices") };
  const nothing = { text: say(language, "productsNone"), choices: listOf(language, "productsChoices") };
  if (request.mode === "none") return nothing;
  const { items: all, unmet } = findProductsTool.run(request.query, context);
  const items = all.filter((item) => !request.except.has(item.product.id));
  if (items.length === 0)
    return all.length > 0 ? { ...nothing, text: say(language, "productsNoMore") } : nothing;
  const shown = items.slice(0, limits.productsPerMessage);
  const products = shown.map((item) => item.card);
  if (request.mode === "compare" && shown.length > 1)
    return { text: compare(shown, request, context), products };
  const few = items.length <= limits.productsPerMessage;
  if (few && (request.mode === "facts" || (items.length === 1 && unmet.length === 0))) {
    const text = shown.map((item) => factsAbout(item, request, context)).join("\n");
    const citations = shown.flatMap((item) =>
      askedDetails(item, request, context).length > 0 ? citePage(item, context) : [],
    );
    return citations.length > 0 ? { text, products, citations } : { text, products };
  }
  const introduction =
    unmet.length > 0
      ? say(language, "productsNearest")
      : few
        ? say(language, "productsAll", { count: items.length })
        : say(language, "productsSome", {
            shown: shown.length,
            total: items.length,
            more: items.length - shown.length,
          });
  const lines = shown.map((item) => `• ${lineAbout(item, context)}`);
  return { text: [introduction, ...lines].join("\n"), products };
}

function askedDetails(item: CatalogueItem, { reading }: Request, { shop }: ToolContext) {
  return detailsOf(item, reading, shop.intents.isCommon);
}

/** Cites the product's page, the source of the text beside the card. */
function citePage({ product, card }: CatalogueItem, { language }: ToolContext): Citation[] {
  return card.productUrl === null
    ? []
    : [{ title: titleOf(product, language), url: card.productUrl, updatedAt: null }];
}

/** "Kestrel helmet: £65, in stock", with the brand if another product has the same name. */
function lineAbout({ product }: CatalogueItem, { shop, language }: ToolContext): string {
  const isShared = shop.data.products.some(
    (other) => other.title === product.title && other.brand !== product.brand,
  );
  const maker = isShared && product.brand !== null ? ` (${product.brand})` : "";
  return `${titleOf(product, language)}${maker}: ${[formatPrice(product.price, language), stockOf(product, language)].join(", ")}`;
}

function stockOf(
  { inStock, clickAndCollectOnly, price }: CatalogueItem["product"],
  language: ToolContext["language"],
): string {
  const stock =
    inStock === null
      ? price === null
        ? []
        : [say(language, "stockUnknown")]
      : [say(language, inStock ? "inStock" : "soldOut")];
  return [...stock, ...(clickAndCollectOnly ? [say(language, "collectOnly")] : [])].join(", ");
}

/** A line about the product and the answers to the customer's questions about it. */
function factsAbout(item: CatalogueItem, request: Request, context: ToolContext): string {
  const { product } = item;
  const { language } = context;
  const { aspects, query } = request;
  const line = `${lineAbout(item, context).replace(/, $/, "")}.`;
  const sentences: string[] = [];
  if (aspects.has("colour") && product.colours.length > 0)
    sentences.push(colourSentence(product.colours, query, context));
  if (aspects.has("size") && product.sizes.length > 0)
    sentences.push(sizeSentence(product.sizes, query, context));
  if (aspects.has("store") && query.store) sentences.push(storeSentence(item, query.store, context));
  sentences.push(...detailTexts(item, request, context));
  const asksOnly =
    aspects.size > 0 && [...aspects].every((aspect) => aspect === "price" || aspect === "stock");
  if (sentences.length === 0 && !asksOnly) {
    const summary = product.i18n[language]?.summary ?? product.summary;
    const colours =
      product.colours.length > 0
        ? say(language, "colours", { list: formatColours(product.colours, language) })
        : "";
    const sizes =
      product.sizes.length > 1 ? say(language, "sizes", { list: formatList(product.sizes, language) }) : "";
    sentences.push(summary, colours, sizes);
  }
  // A sentence with yes or no comes before the line.
  const direct = sentences.filter((_, index) => index === 0 && isDirect(aspects, query));
  return joinSentences([...direct, line, ...sentences.slice(direct.length)], language);
}

/** The catalogue's answer to the question, in the customer's language where available. */
function detailTexts(item: CatalogueItem, request: Request, context: ToolContext): string[] {
  const { language } = context;
  const details = askedDetails(item, request, context);
  if (language === "en") return details.map((detail) => detail.text);
  const rows = details.flatMap(({ row }) =>
    row ? [`${nameOf(language, "specLabels", row.label)}: ${row.value}.`] : [],
  );
  const [quoted] = details;
  return rows.length > 0 || !quoted ? rows : [`${say(language, "catalogueQuote")} ${quoted.text}`];
}

function isDirect(aspects: Request["aspects"], query: ProductQuery): boolean {
  return (
    (aspects.has("colour") && query.colours !== undefined) ||
    (aspects.has("size") && query.sizes !== undefined)
  );
}

function colourSentence(colours: readonly string[], query: ProductQuery, { language }: ToolContext): string {
  const [wanted] = query.colours ?? [];
  if (wanted === undefined) return say(language, "colours", { list: formatColours(colours, language) });
  const found = query.colours?.find((colour) => colours.includes(colour));
  const name = (colour: string) => nameOf(language, "colourNames", colour);
  return found
    ? say(language, "colourYes", { colour: name(found) })
    : say(language, "colourNo", { wanted: name(wanted), list: formatColours(colours, language) });
}

function sizeSentence(sizes: readonly string[], query: ProductQuery, { language }: ToolContext): string {
  const [wanted] = query.sizes ?? [];
  if (wanted === undefined) return say(language, "sizes", { list: formatList(sizes, language) });
  const found = sizes.some((size) => size.toLowerCase() === wanted.toLowerCase());
  return found
    ? say(language, "sizeYes", { size: wanted })
    : say(language, "sizeNo", { wanted, list: formatList(sizes, language) });
}

function storeSentence({ product }: CatalogueItem, wanted: string, { shop, language }: ToolContext): string {
  const storeName = (id: string) => shop.data.stores.find((store) => store.id === id)?.name ?? id;
  const missing = product.stores.includes(wanted)
    ? ""
    : say(language, "notOnShelfIn", { store: storeName(wanted) });
  const list =
    product.stores.length > 0
      ? say(language, "onShelfIn", { stores: formatList(product.stores.map(storeName), language) })
      : "";
  return joinSentences([missing, list], language);
}

/** Lists the products with the rows that all have, then names the cheapest and the lightest. */
function compare(items: readonly CatalogueItem[], request: Request, context: ToolContext): string {
  const { language } = context;
  const [first, ...others] = items;
  const shared = (first?.product.specs ?? [])
    .map((row) => row.label)
    .filter((label) => others.every((item) => item.product.specs.some((row) => row.label === label)));
  const lines = items.map((item) => {
    const rows = item.product.specs
      .filter((row) => shared.includes(row.label))
      .map((row) => `${nameOf(language, "specLabels", row.label)}: ${row.value}`);
    const summary = item.product.i18n[language]?.summary ?? item.product.summary;
    const asked = detailTexts(item, request, context);
    return `• ${lineAbout(item, context)}. ${joinSentences([summary, ...asked, rows.length > 0 ? `${rows.join("; ")}.` : ""], language)}`;
  });
  const verdict = joinSentences(
    [
      leader(items, priceIn("GBP"), (title) => say(language, "cheapest", { title }), context),
      leader(items, weightOf, (title) => say(language, "lightest", { title }), context),
    ],
    language,
  );
  return [say(language, "comparison"), ...lines, verdict].filter(Boolean).join("\n");
}

function priceIn(currency: string): (item: CatalogueItem) => number | undefined {
  return ({ product }) => (product.price?.currency === currency ? product.price.amount : undefined);
}

function weightOf({ product }: CatalogueItem): number | undefined {
  const weight = product.attributes["weightKg"];
  return typeof weight === "number" ? weight : undefined;
}

/** Names the item with the lowest value; nothing if a value is missing or tied. */
function leader(
  items: readonly CatalogueItem[],
  value: (item: CatalogueItem) => number | undefined,
  phrase: (title: string) => string,
  { language }: ToolContext,
): string {
  const values = items.map(value);
  if (values.some((each) => each === undefined)) return "";
  const lowest = Math.min(...values.flatMap((each) => each ?? []));
  const winners = items.filter((_, index) => values[index] === lowest);
  const [winner] = winners;
  return winner && winners.length === 1 ? phrase(titleOf(winner.product, language)) : "";
}
