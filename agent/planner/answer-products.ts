import { limits } from "#lib/chat-api/limits.ts";
import type { Answer } from "../answer.ts";
import type { CatalogueItem } from "../knowledge/catalogue.ts";
import { findProducts, placeOf } from "../knowledge/find-products.ts";
import { detailsOf } from "../knowledge/product-details.ts";
import { joinSentences, type Language, listInSentence } from "../language/languages.ts";
import { listOf, nameOf, say } from "../language/replies.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { ProductWish, Wish } from "../understanding/dialogue.ts";
import { formatList, formatPrice, titleOf } from "./format.ts";

/** A wish about products, with the text that asks for details. */
type Request = ProductWish & Pick<Wish, "reading">;

const most = limits.productsPerMessage;

export function answerProducts(request: Request, context: ToolContext): Answer {
  const answer = answerRequest(request, context);
  if (!request.aspects.has("money")) return answer;
  const { language } = context;
  const inPounds = (text: string) => joinSentences([say(language, "otherMoney"), text], language);
  return { ...answer, text: inPounds(answer.text), ask: answer.ask && inPounds(answer.ask) };
}

function answerRequest(request: Request, context: ToolContext): Answer {
  const { mode, query, except } = request;
  const { language, shop } = context;
  const choices = listOf(language, "productsChoices");
  if (mode === "advice") {
    const { items } = findProducts(shop.catalogue, { kinds: ["bike"] });
    const products = items.slice(0, most).map(({ card }) => card);
    return { ...askAboutRide(context), products };
  }
  if (mode === "which") return { text: "", ask: say(language, "whichProduct"), choices };
  if (mode === "none") return { text: say(language, "productsNone"), choices };
  const { items: all, unmet } = findProducts(shop.catalogue, query);
  const items = all.filter((item) => !except.has(item.product.id));
  if (items.length === 0) {
    const isSeen = all.length > 0 && request.reading.refused.length === 0;
    return { text: say(language, isSeen ? "productsNoMore" : "productsNone"), choices };
  }
  const shown = items.slice(0, most);
  const products = shown.map((item) => item.card);
  if (mode === "compare" && shown.length > 1) return { text: compare(shown, request, context), products };
  const more = items.length - shown.length;
  if (more === 0 && (mode === "facts" || (items.length === 1 && unmet.length === 0))) {
    const text = shown.map((item) => factsAbout(item, request, context)).join("\n");
    const quoted = shown.filter((item) => detailsOf(item, request.reading, shop).length > 0);
    const citations = quoted.flatMap(({ product, card: { productUrl: url } }) =>
      url === null ? [] : [{ title: titleOf(product, language), url, updatedAt: null }],
    );
    return { text, products, citations: citations.length > 0 ? citations : undefined };
  }
  const fit = more === 0 ? "productsAll" : "productsSome";
  const counts = { count: items.length, shown: shown.length, total: items.length, more };
  const limit = unmet.includes("maxPrice") ? query.maxPrice : undefined;
  const price = formatPrice({ amount: limit ?? 0, currency: "GBP", from: false, was: null }, language);
  const found = limit !== undefined ? "productsAbove" : unmet.length > 0 ? "productsNearest" : fit;
  // The cards show the facts.
  return { text: say(language, found, { ...counts, price }), products };
}

/** Asks what a bike is for. */
export function askAboutRide({ language }: ToolContext): Answer {
  const choices = listOf(language, "askChoices");
  return { text: say(language, "askPreamble"), ask: say(language, "askQuestion"), choices };
}

/** "Kestrel helmet: £65, in stock". */
function lineAbout({ product }: CatalogueItem, { language }: ToolContext): string {
  const { price, inStock, clickAndCollectOnly } = product;
  const stock = inStock === null ? price && "stockUnknown" : inStock ? "inStock" : "soldOut";
  const parts = [stock, clickAndCollectOnly && "collectOnly"].map((key) => (key ? say(language, key) : ""));
  const facts = [formatPrice(price, language), ...parts].filter(Boolean).join(", ");
  return `${titleOf(product, language)}: ${facts}`;
}

/** A line about the product and the answers to the customer's questions about it. */
function factsAbout(item: CatalogueItem, request: Request, context: ToolContext): string {
  const { product } = item;
  const { language } = context;
  const { aspects, query } = request;
  const colours = listAspect(product.colours, "colour", aspects.has("colour") ? query.colours : [], context);
  const sizes = listAspect(product.sizes, "size", aspects.has("size") ? query.sizes : [], context);
  const answers = [
    aspects.has("colour") ? colours : "",
    aspects.has("size") ? sizes : "",
    aspects.has("store") && query.store ? storeSentence(item, query.store, context) : "",
    ...detailTexts(item, request, context),
  ].filter(Boolean);
  const line = listInSentence([lineAbout(item, context)], language);
  // A sentence with yes or no comes before the line.
  const isDirect = (aspects.has("colour") && query.colours) || (aspects.has("size") && query.sizes);
  if (isDirect) return joinSentences([answers[0] ?? "", line, ...answers.slice(1)], language);
  const asksMore = [...aspects].some((aspect) => !["price", "stock", "money"].includes(aspect));
  if (answers.length > 0 || (aspects.size > 0 && !asksMore))
    return joinSentences([line, ...answers], language);
  const summary = product.i18n[language]?.summary ?? product.summary;
  return joinSentences([line, summary, colours, product.sizes.length > 1 ? sizes : ""], language);
}

/** The colours or sizes that a product has, or whether it has the wanted one. */
function listAspect(
  values: readonly string[],
  aspect: "colour" | "size",
  wanted: readonly string[] | undefined,
  { language }: ToolContext,
): string {
  if (values.length === 0) return "";
  const nameOfValue = (value: string) => nameOf(language, "colourNames", value);
  const list = formatList(values.map(nameOfValue), language);
  const [first] = wanted ?? [];
  if (first === undefined) return say(language, `${aspect}s`, { list });
  const found = wanted?.find((each) => values.some((value) => value.toLowerCase() === each.toLowerCase()));
  const name = nameOfValue(found ?? first);
  return say(language, `${aspect}${found ? "Yes" : "No"}`, { [aspect]: name, wanted: name, list });
}

function storeSentence({ product }: CatalogueItem, wanted: string, { shop, language }: ToolContext): string {
  const nameOfStore = (id: string) => shop.stores.find((store) => store.id === id)?.name ?? id;
  const stores = formatList(product.stores.map(nameOfStore), language);
  const isThere = product.stores.includes(wanted);
  const not = isThere ? "" : say(language, "notOnShelfIn", { store: nameOfStore(wanted) });
  return joinSentences([not, stores && say(language, "onShelfIn", { stores })], language);
}

/** The catalogue's answer to the question, in the customer's language where available. */
function detailTexts(item: CatalogueItem, request: Request, context: ToolContext): string[] {
  const { language, shop } = context;
  const details = detailsOf(item, request.reading, shop);
  // English needs no introduction of the catalogue's English.
  const introduction = say(language, "catalogueQuote");
  if (introduction === "") return details.map(({ text }) => text);
  const rows = details.flatMap(({ row }) => (row ? [listInSentence([rowText(row, context)], language)] : []));
  return rows.length > 0 ? rows : details.slice(0, 1).map(({ text }) => `${introduction} ${text}`);
}

function rowText({ label, value }: { label: string; value: string }, { language }: ToolContext): string {
  return `${nameOf(language, "specLabels", label)}: ${value}`;
}

/** Lists the products with the rows that all have, then names the cheapest and the lightest. */
function compare(items: readonly CatalogueItem[], request: Request, context: ToolContext): string {
  const { language } = context;
  const isShared = (label: string) =>
    items.every(({ product }) => product.specs.some((row) => row.label === label));
  const lines = items.map((item) => {
    const { specs, i18n, summary } = item.product;
    const rows = specs.filter(({ label }) => isShared(label)).map((row) => rowText(row, context));
    const sentences = [i18n[language]?.summary ?? summary, ...detailTexts(item, request, context)];
    const facts = listInSentence(rows, language);
    return `• ${joinSentences([listInSentence([lineAbout(item, context)], language), ...sentences, facts], language)}`;
  });
  const leaders = (["cheapest", "lightest"] as const).map((sort) => leader(items, sort, language));
  const verdict = joinSentences(leaders, language);
  return [say(language, "comparison"), ...lines, verdict].filter(Boolean).join("\n");
}

/** Names the first of the sorted items; nothing if a measure is missing or two are equal. */
function leader(items: readonly CatalogueItem[], sort: "cheapest" | "lightest", language: Language): string {
  const places = items.map((item) => placeOf(item, sort));
  const least = Math.min(...places);
  const [winner, ...others] = items.filter((_, index) => places[index] === least);
  if (!winner || others.length > 0 || !places.every(Number.isFinite)) return "";
  return say(language, sort, { title: titleOf(winner.product, language) });
}
