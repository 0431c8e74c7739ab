/** From a message to the customer's wishes: by the examples' intents, the shop's names, and the dialogue. */
import type { CatalogueItem } from "../knowledge/catalogue.ts";
import { findProducts, type ProductQuery } from "../knowledge/find-products.ts";
import { splitSentences } from "../knowledge/sentences.ts";
import type { Shop } from "../knowledge/shop.ts";
import { languageData } from "../language/lexicon.ts";
import type { Reading } from "../language/reading.ts";
import { type IntentRow, type Ranked, rows } from "../learning/intents.ts";
import { afterWish, type Dialogue, type ProductAspect, type ProductWish, type Wish } from "./dialogue.ts";
import { isEmptyQuery, lengthsIn, productQueryOf, referencesIn } from "./slots.ts";

export interface Understanding {
  wishes: readonly Wish[];
  /** Intents between which the message does not decide, the likeliest first; a wish is its guess. */
  unsure: readonly Ranked[];
  /** Small talk in the message, answered in a word beside a wish. */
  talk: ReadonlySet<string>;
  isUpset: boolean;
}

/**
 * Measured on the split by author: answers above `sure` are wrong for 3 % of all sentences, and most below
 * `floor` are wrong. Between them the agent says that it is not sure, or asks.
 */
export const sure = 0.82;
const likely = 0.4;
const floor = 0.22;
/** A part of a message counts as a wish of its own only if it is clear. */
const sureOfPart = 0.8;
/** A message that is clear as a whole rarely has a second wish, unless it asks one. */
const sureBesideClear = 0.92;
const fewestWords = 3;
/** Anger beside a question shows less clearly than alone. */
const angry = 0.1;
const maxWishes = 3;
/** A message of more parts is a list or a story, whose single parts mean little. */
const maxParts = 24;

export function understand(text: string, dialogue: Dialogue, shop: Shop): Understanding {
  const reading = shop.read(text, dialogue.language);
  const ranked = rank(reading, dialogue, shop);
  const [best] = ranked;
  const parts = partsOf(reading).map((part) => {
    const own = shop.read(part, dialogue.language);
    return { reading: own, best: rank(own, dialogue, shop)[0] };
  });
  const isWhole = best !== undefined && best.confidence >= sureBesideClear;
  const clear = parts.filter(
    ({ reading: part, best: own }) =>
      part.tokens.length >= (part.mentions.length > 0 ? 1 : fewestWords) &&
      (own?.confidence ?? 0) >= (isWhole && !part.marks.has("§question") ? sureBesideClear : sureOfPart),
  );
  const talk = new Set([best, ...clear.map((part) => part.best)].map((each) => each?.intent ?? ""));
  const isUpset =
    talk.has("upset") || ranked.some(({ intent, confidence }) => intent === "upset" && confidence >= angry);
  const nothing = { wishes: [], unsure: [], talk, isUpset };
  const isNonsense =
    reading.mentions.length === 0 && !reading.tokens.some(({ stem }) => shop.intents.isKnown(stem));
  if (!best || (isNonsense && referencesIn(text).length === 0)) return nothing;
  if (best.row.instead && best.confidence >= floor)
    return { ...nothing, wishes: instead(reading, parts, dialogue, shop) };
  const several = severalWishes(best, clear, dialogue, shop);
  if (several.length > 1) return { ...nothing, wishes: several };
  const [only] = clear.filter((part) => isAbout(part.best?.row));
  const isClear = best.confidence >= sure && (isAbout(best.row) || !only);
  if (isClear) return { ...nothing, wishes: [complete(best, reading, dialogue, shop)] };
  // The names of products speak for themselves.
  const named = productQueryOf(reading, shop);
  if (best.row.products && best.confidence >= likely && named.ids)
    return { ...nothing, wishes: [complete(best, reading, dialogue, shop)] };
  // A long message can hide one clear wish among its reasons.
  if (only?.best) {
    const told = isEmptyQuery(productQueryOf(only.reading, shop)) ? reading : only.reading;
    return { ...nothing, wishes: [complete(only.best, told, dialogue, shop)] };
  }
  if (best.confidence >= likely)
    return {
      ...nothing,
      wishes: [complete(best, reading, dialogue, shop)],
      unsure: isAbout(best.row) ? ranked : [],
    };
  const isShort = reading.tokens.length <= 6 && (dialogue.shown.length > 0 || named.kinds !== undefined);
  if (named.ids || (isShort && Object.keys(named).length > 0))
    return {
      ...nothing,
      wishes: [
        complete({ intent: "product-search", row: rows["product-search"] ?? {} }, reading, dialogue, shop),
      ],
    };
  return best.confidence >= floor ? { ...nothing, unsure: ranked } : nothing;
}

function rank(reading: Reading, dialogue: Dialogue, shop: Shop): Ranked[] {
  const ranked = shop.intents.rank(reading, (row) => priorOf(row, reading, dialogue));
  const [best] = ranked;
  // An order's number in a sentence says what it is about.
  if (
    referencesIn(reading.text).length > 0 &&
    !best?.row.orders &&
    !/order-tracking|form/.test(JSON.stringify(best?.row))
  )
    return [{ intent: "order-status", row: rows["order-status"] ?? {}, confidence: 1 }, ...ranked];
  return ranked;
}

/** How much the dialogue speaks for an intent. */
function priorOf({ after, help, same }: IntentRow, reading: Reading, { shown, last }: Dialogue): number {
  const isBare = reading.tokens.length <= 6 && reading.all("good").length + reading.all("name").length === 0;
  const { tokens, text, language } = reading;
  if (after === "products" && shown.length === 0) return 0;
  if (after === "wish" && last === null) return 0;
  // "And to France?" joins the last question.
  if (same && new RegExp(`^(?:${languageData[language].joins})`, "iu").test(text)) return 3;
  // A short question after an answer from a page is about that page.
  const follows = help !== undefined && last?.row.help !== undefined && tokens.length <= 7;
  if (follows && pageOf(help) === pageOf(last.row.help)) return isBare ? 10 : 3;
  return after === "products" && last?.products && isBare ? 2 : 1;
}

function pageOf(help: readonly string[] | undefined): string | undefined {
  return help?.[0]?.split("#")[0];
}

/** Whether an intent is about the shop, not small talk around it. */
function isAbout(row: IntentRow | undefined): boolean {
  return (
    row !== undefined && !row.talk && !row.unknown && row.offer !== "upset" && row.offer !== "not_helped"
  );
}

function partsOf({ text, language }: Reading): string[] {
  const breaks = new RegExp(languageData[language].breaks, "iu");
  const parts = text
    .split(/\n+/)
    .flatMap((line) => splitSentences(line, language))
    .flatMap((sentence) => sentence.split(breaks))
    .filter((part) => /[\p{L}\p{N}]/u.test(part ?? ""));
  return parts.length > 1 && parts.length <= maxParts ? parts : [];
}

interface Part {
  reading: Reading;
  best: Ranked | undefined;
}

/** The wishes of a message that asks for several things. */
function severalWishes(whole: Ranked, clear: readonly Part[], dialogue: Dialogue, shop: Shop): Wish[] {
  const isAction = whole.row.form !== undefined || whole.row.offer !== undefined;
  if (isAction && whole.confidence >= 0.75) return [];
  const wishes: Wish[] = [];
  let now = dialogue;
  for (const { reading, best } of clear) {
    if (!best || !isAbout(best.row)) continue;
    const wish = complete(best, reading, now, shop);
    if (wishes.some((other) => isSame(other, wish))) continue;
    wishes.push(wish);
    now = afterWish(now, wish);
    const ids = wish.products?.query.ids;
    if (ids) now = { ...now, shown: shop.catalogue.filter(({ product }) => ids.includes(product.id)) };
  }
  return wishes.slice(0, maxWishes);
}

/** Whether two wishes get one answer, or one only explains the other. */
function isSame(one: Wish, other: Wish): boolean {
  if (one.intent === other.intent) return true;
  if (one.products && other.products) return true;
  return one.row.by === "place" && other.row.by === "place";
}

/** What is wanted instead: the last part of the message that says so, or the last wish with another thing. */
function instead(reading: Reading, parts: readonly Part[], dialogue: Dialogue, shop: Shop): Wish[] {
  const wanted = (of: Reading) =>
    shop.intents.rank(of, (row) => (row.instead || row.talk ? 0 : priorOf(row, of, dialogue)))[0];
  for (const part of [...parts.map((each) => each.reading).reverse(), reading]) {
    const best = wanted(part);
    if (best && best.confidence >= likely) return [complete(best, part, dialogue, shop)];
  }
  const query = productQueryOf(reading, shop);
  const intent = isEmptyQuery(query) ? "same-question-other-thing" : "product-search";
  return dialogue.last ? [complete({ intent, row: rows[intent] ?? {} }, reading, dialogue, shop)] : [];
}

/** Completes an intent from the dialogue. */
function complete(
  { intent, row }: Pick<Ranked, "intent" | "row">,
  reading: Reading,
  dialogue: Dialogue,
  shop: Shop,
): Wish {
  const { last, shown } = dialogue;
  const query = productQueryOf(reading, shop);
  const [one] = shown;
  const about = query.ids
    ? (shop.catalogue.find(({ product }) => product.id === query.ids?.[0]) ?? null)
    : shown.length === 1
      ? (one ?? null)
      : null;
  const plain: Wish = { intent, row, reading, before: null, about, products: null };
  const isBare = isEmptyQuery(query) && last?.row.help !== undefined && reading.tokens.length <= 5;
  if (row.products && isBare && (row.products === "price" || row.products === "stock" || shown.length === 0))
    return { ...plain, intent: last.intent, row: last.row, before: last.reading };
  if (row.same && last) {
    // "What about returns for that?" asks something else about the same thing.
    const [other] = shop.intents.rank(reading, ({ help }) => Number(help !== undefined));
    if (
      other &&
      last.products &&
      query.ids === undefined &&
      other.confidence >= likely &&
      isEmptyQuery(query)
    )
      return { ...plain, intent: other.intent, row: other.row };
    if (last.products || (!isEmptyQuery(query) && !last.row.help))
      return {
        ...plain,
        intent: "product-search",
        row: rows["product-search"] ?? {},
        reading: query.ids && last.products?.aspects.has("detail") ? last.reading : reading,
        products: anotherProduct(query, reading, dialogue, shop),
      };
    return { ...plain, intent: last.intent, row: last.row, before: last.reading };
  }
  // "Are you open on Sunday?" is not about holidays.
  if (intent === "holiday-hours" && reading.all("day").length > 0)
    return { ...plain, row: rows["opening-hours"] ?? row };
  if (row.products) return { ...plain, products: productWish(row.products, query, reading, dialogue, shop) };
  // "How long does it take?" after "Do you deliver to Germany?" is about Germany.
  const samePage = pageOf(row.help) === pageOf(last?.row.help);
  if (row.help && last?.row.help && samePage && isEmptyQuery(query))
    return { ...plain, before: last.reading };
  if (row.hours && last?.row.hours) return { ...plain, before: last.reading };
  return plain;
}

/** "And the Merlin?" repeats the last question for the Merlin; "and in red?" narrows what was shown. */
function anotherProduct(query: ProductQuery, reading: Reading, dialogue: Dialogue, shop: Shop): ProductWish {
  const before = dialogue.last?.products;
  if (query.ids && before)
    return {
      mode: before.mode === "compare" ? "facts" : before.mode,
      query: { ids: query.ids },
      aspects: before.aspects,
      except: new Set(),
    };
  return productWish(isEmptyQuery(query) ? "options" : "list", query, reading, dialogue, shop);
}

const aspectOfMode: Readonly<Record<string, ProductAspect>> = {
  price: "price",
  stock: "stock",
  detail: "detail",
};

function productWish(
  mode: string,
  wanted: ProductQuery,
  reading: Reading,
  dialogue: Dialogue,
  shop: Shop,
): ProductWish {
  const { shown, search, seen } = dialogue;
  const marks = reading.all("mark");
  const query = { ...wanted };
  const aspects = new Set<ProductAspect>();
  const own = aspectOfMode[mode];
  if (own) aspects.add(own);
  if (marks.includes("price")) aspects.add("price");
  if (marks.includes("stock")) aspects.add("stock");
  if (marks.includes("colour") || query.colours) aspects.add("colour");
  if (marks.includes("size") || query.sizes) aspects.add("size");
  if (query.store) aspects.add("store");
  if (reading.all("detail").length > 0) aspects.add("detail");
  const wish = (made: Partial<ProductWish>): ProductWish => ({
    mode: "list",
    query,
    aspects,
    except: new Set(),
    ...made,
  });
  const bestOf = (of: ProductQuery): ProductWish => {
    const [first] = findProducts(shop.catalogue, of).items;
    return first ? wish({ mode: "facts", query: { ids: [first.product.id] } }) : wish({ query: of });
  };
  if (mode === "none" && !query.ids) return wish({ mode: "none" });
  if (query.ids) {
    const { ids } = query;
    if (mode === "compare" && ids.length === 1 && shown.length > 0)
      return wish({
        mode: "compare",
        query: { ids: [...ids, ...shown.map(({ product }) => product.id)].slice(0, 3) },
      });
    const isComparison =
      ids.length > 1 &&
      (mode === "compare" || mode === "better" || mode === "best" || query.sort !== undefined);
    const { kinds: _kinds, words: _words, traits: _traits, sort: _sort, ...named } = query;
    return wish({ mode: isComparison ? "compare" : "facts", query: named });
  }
  const focus = focusOf(query, reading, dialogue);
  const ids = focus.map(({ product }) => product.id);
  // "Which of them has a light?"
  const having =
    marks.includes("it") || marks.includes("both")
      ? shown.filter((item) => query.kinds?.some((kind) => item.traits.has(kind)))
      : [];
  if (having.length > 0 && !shown.some((item) => query.kinds?.some((kind) => item.kinds.has(kind))))
    return wish({
      mode: "facts",
      query: { ids: having.map(({ product }) => product.id) },
      aspects: new Set<ProductAspect>(["detail"]),
    });
  const isOther =
    (query.kinds ?? []).length > 0 &&
    !focus.some((item) => query.kinds?.some((kind) => item.kinds.has(kind)));
  const follows = shown.length > 0 && !isOther && (query.kinds === undefined || isFollowUp(mode));
  if (!follows) {
    if (mode === "compare") return wish({ mode: "compare" });
    if (mode === "sale" && !query.brand) return wish({ query: { ...query, onlySale: true } });
    if (mode === "gift") {
      const { kinds = [], words: _words, ...wishes } = query;
      const others = kinds.filter((kind) => kind !== "gift");
      return wish({
        query: { ...wishes, traits: ["gift"], ...(others.length > 0 ? { kinds: others } : {}) },
      });
    }
    const isOpen =
      query.traits === undefined &&
      query.maxPrice === undefined &&
      (query.kinds ?? ["bike"]).includes("bike");
    if (mode === "advice" && isOpen) return wish({ mode: "advice" });
    if (isEmptyQuery(query) && !query.onlySale && !query.maxPrice && !query.colours)
      return wish({ mode: mode === "list" ? "none" : "which" });
    if (mode === "best" && query.sort) return bestOf(query);
    return wish({ mode: mode === "price" || mode === "detail" ? "facts" : "list" });
  }
  const { kinds: _kinds, words: _words, ...wishes } = query;
  const kinds = kindsOf(shown);
  const before: ProductQuery = Object.keys(search).length > 0 ? search : { kinds };
  switch (mode) {
    case "cheaper":
    case "better":
    case "best": {
      const sort = query.sort ?? (mode === "cheaper" ? "cheapest" : undefined);
      const amount = focus[0]?.card.price?.amount;
      const among = focus.length > 1 && search.kinds ? search : { ids };
      if (query.maxPrice !== undefined)
        return wish({ query: { ...(search.kinds ? search : { kinds }), ...wishes } });
      if (focus.length > 1 || sort !== "cheapest" || amount === undefined)
        return bestOf({ ...among, ...wishes, ...(sort ? { sort } : {}) });
      return wish({
        query: { kinds, ...wishes, maxPrice: query.maxPrice ?? amount - 0.01 },
        except: new Set(ids),
      });
    }
    case "more":
      return wish({
        query: { ...before, ...wishes },
        except: new Set([...seen, ...shown.map(({ product }) => product.id)]),
      });
    case "budget": {
      const { maxPrice: _max, minPrice: _min, ids: _ids, ...rest } = before;
      return wish({ query: { ...rest, ...wishes } });
    }
    case "compare":
      return wish({ mode: "compare", query: { ids } });
    default: {
      const narrows =
        wishes.colours ??
        wishes.sizes ??
        wishes.traits ??
        wishes.maxPrice ??
        wishes.minPrice ??
        wishes.store ??
        wishes.brand;
      if (narrows !== undefined && focus.length > 1)
        return wish({ query: { ...(search.kinds ? search : { ids }), ...wishes }, aspects: new Set() });
      if (wishes.sort && focus.length > 1) return bestOf({ ids, ...wishes });
      const { traits: _traits, sort: _sort, ...rest } = wishes;
      return wish({ mode: "facts", query: { ...rest, ids } });
    }
  }
}

function isFollowUp(mode: string): boolean {
  return [
    "cheaper",
    "better",
    "that",
    "more",
    "budget",
    "options",
    "price",
    "stock",
    "detail",
    "compare",
  ].includes(mode);
}

/** The shown products that the message can mean: the one at the position it names, of a kind, or all. */
function focusOf(
  { kinds, colours, traits }: ProductQuery,
  reading: Reading,
  { shown }: Dialogue,
): readonly CatalogueItem[] {
  const [position] = reading.all("position");
  const at =
    position === "last" ? shown.at(-1) : position === undefined ? undefined : shown[Number(position) - 1];
  if (at) return [at];
  if (reading.all("mark").includes("both")) return shown.slice(0, 2);
  const fits = (item: CatalogueItem) =>
    (kinds ?? []).some((kind) => item.kinds.has(kind)) ||
    (traits ?? []).some((trait) => item.traits.has(trait) || item.kinds.has(trait));
  const fitting = shown.filter(fits);
  return fitting.length > 0 ? fitting : colours && shown.length === 1 ? shown : shown;
}

function kindsOf(items: readonly CatalogueItem[]): string[] {
  const [first, ...others] = items;
  return [...(first?.kinds ?? [])].filter((kind) => others.every((item) => item.kinds.has(kind)));
}

/** Whether the message is about a size but not of what: anything worn or ridden has one. */
export function asksSizeOfWhat({ row, reading, about }: Wish): boolean {
  return (
    row.by === "size" &&
    about === null &&
    reading.all("good").length === 0 &&
    lengthsIn(reading.text).length === 0 &&
    reading.all("size").length === 0 &&
    !reading.all("detail").includes("measure") &&
    reading.tokens.length <= 9
  );
}
