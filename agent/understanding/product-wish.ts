/** The wish of a message for products, completed from the products that were shown before. */
import { type CatalogueItem, hasTrait } from "../knowledge/catalogue.ts";
import { findProducts, type ProductQuery } from "../knowledge/find-products.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Reading } from "../language/reading.ts";
import type { Dialogue, ProductAspect, ProductWish } from "./dialogue.ts";
import { hasOtherMoney, isEmptyQuery, productQueryOf, refusedIds } from "./slots.ts";

/** Kinds of wishes that begin a new search if they name what is wanted. */
const beginnings = new Set(["list", "advice", "best", "sale", "gift", "none"]);

/** `kind` is the intent's (`products` in `intents.json`). */
export function productWish(kind: string, reading: Reading, dialogue: Dialogue, shop: Shop): ProductWish {
  const wish = wishFor(kind, reading, dialogue, shop);
  if (reading.refused.length === 0) return wish;
  const refused = refusedIds(reading, wish.query, dialogue.shown, shop);
  return { ...wish, except: new Set([...wish.except, ...refused]) };
}

function wishFor(kind: string, reading: Reading, dialogue: Dialogue, shop: Shop): ProductWish {
  const { shown } = dialogue;
  const { kinds: named, words, traits, sort, ...rest } = productQueryOf(reading, shop, kind === "budget");
  const isShown = named?.some((each) => shown.some((item) => item.kinds.has(each))) ?? true;
  // "Which is better for touring with luggage?" about bikes names what they are for.
  const kinds = kind === "better" && shown.length > 0 && !isShown ? undefined : named;
  const query: ProductQuery = { ...rest, kinds, words, traits, sort };
  const marks = reading.all("mark");
  const namesOtherPrice = shop.catalogue.some(
    ({ product: { id, price } }) => rest.ids?.includes(id) && price?.currency !== rest.currency,
  );
  const asked: readonly [ProductAspect, boolean][] = [
    ["price", kind === "price" || marks.includes("price")],
    ["money", hasOtherMoney(reading) || (rest.currency !== undefined && namesOtherPrice)],
    ["stock", kind === "stock" || marks.includes("stock")],
    ["colour", marks.includes("colour") || query.colours !== undefined],
    ["size", marks.includes("size") || query.sizes !== undefined],
    ["store", query.store !== undefined],
    ["detail", kind === "detail" || reading.all("detail").length > 0],
  ];
  const aspects = new Set(asked.flatMap(([aspect, isAsked]) => (isAsked ? [aspect] : [])));
  const wish = (
    mode: ProductWish["mode"],
    of: ProductQuery,
    except: ReadonlySet<string> = new Set(),
  ): ProductWish => ({ mode, query: of, aspects, except });
  const bestOf = (of: ProductQuery): ProductWish => {
    const [first] = findProducts(shop.catalogue, of).items;
    return first ? wish("facts", { ids: [first.product.id] }) : wish("list", of);
  };
  const idsShown = idsOf(shown);
  if (kind === "others") {
    const { colours, ...search } = commonSearch();
    // "Not yellow" after the yellow ones.
    const isRefused = reading.refused.some(({ key }) => colours?.includes(key));
    return isRefused ? wish("list", search, new Set(idsShown)) : wish("list", commonSearch());
  }
  if (rest.ids) {
    const ids =
      kind === "compare" && rest.ids.length === 1 ? [...rest.ids, ...idsShown].slice(0, 3) : rest.ids;
    const compares = ["compare", "better", "best"].includes(kind) || sort !== undefined;
    return wish(compares && ids.length > 1 ? "compare" : "facts", { ...rest, ids });
  }
  if (kind === "none" && kinds === undefined) return wish("none", query);
  const focus = focusOf(query, reading, dialogue);
  const isKind = (item: CatalogueItem) => (kinds ?? []).some((each) => item.kinds.has(each));
  // "Which of them has a light?"
  const having = shown.filter((item) => named?.some((each) => item.traits.has(each)));
  if (having.length > 0 && !shown.some(isKind) && (marks.includes("it") || marks.includes("both")))
    return wish("facts", { ids: idsOf(having) });
  const follows = shown.length > 0 && (kinds === undefined || (!beginnings.has(kind) && focus.some(isKind)));
  if (!follows) return newSearch();
  const search = commonSearch();
  const wishes: ProductQuery = { ...rest, ...(traits && { traits }), ...(sort && { sort }) };
  const ids = idsOf(focus);
  // "And the cheapest?" after one product, or some of many, is about all of the kind.
  const rivals: ProductQuery = focus.length > 1 && !dialogue.search.kinds ? { ids } : search;
  const more = { ...dialogue.search, ...search, ...wishes };
  if (kind === "more") return wish("list", more, new Set([...dialogue.seen, ...idsShown]));
  if (kind === "compare") return wish("compare", { ids });
  // A new budget replaces the last one. After bikes for commuting it is for a bike, not for their bags.
  if (kind === "budget" || wishes.maxPrice !== undefined || wishes.minPrice !== undefined)
    return wish("list", { ...search, kinds: search.kinds ?? kindsOf(shown, shop), ...wishes });
  if (kind === "cheaper" || kind === "better" || kind === "best") {
    const by = sort ?? (kind === "cheaper" ? "cheapest" : undefined);
    if (by === undefined) return traits ? wish("list", { ...search, ...wishes }) : wish("compare", { ids });
    return bestOf({ ...rivals, ...wishes, sort: by });
  }
  const narrows =
    wishes.colours ?? wishes.sizes ?? wishes.traits ?? wishes.store ?? wishes.brand ?? wishes.currency;
  // "Is it waterproof?" about two jackets is answered for both if both are.
  const narrowed: ProductQuery = { ...rivals, ...wishes };
  const isNarrower = findProducts(shop.catalogue, narrowed).items.length !== focus.length;
  if (narrows !== undefined && focus.length > 1 && isNarrower) return wish("list", narrowed);
  if (sort) return bestOf({ ...rivals, ...wishes });
  return wish("facts", { ...rest, ids });

  /** The former search, or the common properties of the products shown. */
  function commonSearch(): ProductQuery {
    const { maxPrice: _max, minPrice: _min, ids: _ids, ...unpriced } = dialogue.search;
    return unpriced.kinds || unpriced.traits ? unpriced : { kinds: kindsOf(shown, shop) };
  }

  function newSearch(): ProductWish {
    if (kind === "compare") return wish("compare", query);
    if (kind === "sale" && !query.brand) return wish("list", { ...query, onlySale: true });
    const isOpen =
      traits === undefined && query.maxPrice === undefined && (kinds ?? ["bike"]).includes("bike");
    if (kind === "advice" && isOpen) return wish("advice", query);
    const isCalled = kind === "list" && query.words !== undefined;
    if (isEmptyQuery(query) && !isCalled && !query.onlySale && !query.maxPrice && !query.colours)
      return wish(kind === "list" ? "none" : "which", query);
    if (kind === "best" && sort) return bestOf(query);
    return wish(kind === "price" || kind === "detail" ? "facts" : "list", query);
  }
}

/** The shown products that the message can mean: the one at the position it names, of a kind, or all. */
function focusOf(
  { kinds = [], traits = [] }: ProductQuery,
  reading: Reading,
  { shown, beside }: Dialogue,
): readonly CatalogueItem[] {
  const [position] = reading.all("position");
  // Of two, the one that was not meant last, or else the second.
  const [other] = beside.filter((item) => !shown.includes(item));
  if (position === "other" && (other ?? shown[1])) return other ? [other] : shown.slice(1, 2);
  const at = position === "last" ? shown.at(-1) : shown[Number(position ?? 0) - 1];
  if (at) return [at];
  if (reading.all("mark").includes("both")) return shown.slice(0, 2);
  const fitting = shown.filter(
    (item) => kinds.some((kind) => item.kinds.has(kind)) || traits.some((trait) => hasTrait(item, trait)),
  );
  return fitting.length > 0 ? fitting : shown;
}

function idsOf(items: readonly CatalogueItem[]): string[] {
  return items.map(({ product }) => product.id);
}

/** The narrowest kind that all are: a tent is camping gear, but cheaper than a tent is another tent. */
function kindsOf(items: readonly CatalogueItem[], { catalogue }: Shop): string[] {
  const [first, ...others] = items;
  const spread = (kind: string) => catalogue.filter(({ kinds }) => kinds.has(kind)).length;
  return [...(first?.kinds ?? [])]
    .filter((kind) => others.every((item) => item.kinds.has(kind)))
    .sort((one, other) => spread(one) - spread(other))
    .slice(0, 1);
}
