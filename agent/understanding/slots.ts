/** What a message says about the products, orders and days that it means, by the shop's own content. */
import type { CatalogueItem } from "../knowledge/catalogue.ts";
import type { ProductQuery, ProductSort } from "../knowledge/find-products.ts";
import { productSorts } from "../knowledge/find-products.ts";
import type { Shop } from "../knowledge/shop.ts";
import { languageData } from "../language/lexicon.ts";
import type { Reading } from "../language/reading.ts";
import { tokenise } from "../language/tokens.ts";

/** The catalogue query of a text, without anything from earlier messages. */
export function productQueryOf(reading: Reading, shop: Shop): ProductQuery {
  const query: ProductQuery = {};
  const named = namedItems(reading, shop);
  const goods = headsOf(reading, shop);
  if (named.length > 0) query.ids = narrowNamed(named, reading).map(({ product }) => product.id);
  const brand = brandOf(reading, shop);
  if (brand !== undefined && query.ids === undefined) {
    const numbered = shop.catalogue.filter(
      (item) => item.product.brand === brand && hasNumberOf(item, reading),
    );
    if (numbered.length > 0) query.ids = numbered.map(({ product }) => product.id);
    else query.brand = brand;
  }
  if (goods.kinds.length > 0) {
    query.kinds = goods.kinds;
    const isTrait = (at: number) =>
      reading.mentions.some(({ key, start, end }) => goods.traits.includes(key) && start <= at && at < end);
    query.words = reading.tokens
      .filter((_, index) => !isTrait(index))
      .map(({ stem }) => stem)
      .filter((stem) => !shop.intents.isCommon(stem));
  }
  if (goods.traits.length > 0) query.traits = goods.traits;
  const colours = reading.all("colour");
  if (colours.length > 0) query.colours = colours;
  const sizes = sizesOf(reading);
  if (sizes.length > 0) query.sizes = sizes;
  Object.assign(query, priceRangeOf(reading));
  const sort = reading
    .all("measure")
    .find((key): key is ProductSort => productSorts.some((sort) => sort === key));
  if (sort) query.sort = sort;
  if (reading.all("mark").includes("sale")) query.onlySale = true;
  const [store] = reading.all("store");
  if (store !== undefined) query.store = store;
  return query;
}

/** The products whose names a text has. */
export function namedItems(reading: Reading, shop: Shop): CatalogueItem[] {
  const names = reading.all("name");
  return names.flatMap((name) => shop.catalogue.filter((item) => item.name === name));
}

/** Products can share a name: "Fell" is the bike, "Fell frame" the frame. */
function narrowNamed(named: readonly CatalogueItem[], reading: Reading): readonly CatalogueItem[] {
  const goods = reading.all("good");
  const groups = Map.groupBy(named, (item) => item.name);
  return [...groups.values()].flatMap((items) => {
    const fits = (item: CatalogueItem) =>
      goods.filter((good) => item.kinds.has(good) || item.traits.has(good)).length;
    const most = Math.max(...items.map(fits));
    const fitting = items.filter((item) => fits(item) === most);
    const whole = fitting.filter((item) => !item.kinds.has("part"));
    return whole.length > 0 ? whole : fitting;
  });
}

function brandOf({ tokens }: Reading, shop: Shop): string | undefined {
  const words = new Set(tokens.map(({ word }) => word));
  const brands = new Set(shop.data.products.flatMap(({ brand }) => brand ?? []));
  return [...brands].find((brand) => tokenise(brand, "en").every(({ word }) => words.has(word)));
}

/** Whether the text has the number in the product's title, which tells "Wick 900" from "Wick 300". */
function hasNumberOf({ product }: CatalogueItem, { tokens }: Reading): boolean {
  const numbers: readonly string[] = product.title.match(/\b\d{2,4}\b/g) ?? [];
  return tokens.some(({ word }) => numbers.includes(word));
}

/**
 * The goods that are wanted, and those that only describe them. Of two kinds side by side the narrower one is
 * wanted ("bike helmet"), unless something joins them ("bikes and helmets").
 */
function headsOf(reading: Reading, shop: Shop): { kinds: string[]; traits: string[] } {
  const spread = (key: string) => shop.catalogue.filter((item) => item.kinds.has(key)).length;
  const isTrait = (key: string) => spread(key) === 0 && shop.catalogue.some((item) => item.traits.has(key));
  // A "gravel bike" is a bike, a "gift card" is no gift.
  const goods = reading.mentions.filter(
    ({ type, within }) => type === "good" && (within === undefined || isTrait(within)),
  );
  const joins = new RegExp(languageData[reading.language].joins, "iu");
  const isJoined = (one: (typeof goods)[number], other: (typeof goods)[number]) =>
    joins.test(textBetween(reading, Math.min(one.end, other.end), Math.max(one.start, other.start)));
  const described = new Set<string>();
  for (const one of goods)
    for (const other of goods) {
      if (one.key === other.key || isTrait(one.key) || isTrait(other.key)) continue;
      // What the shop does not have is wanted if it comes last: a "bike lock" is a lock.
      const isHead = spread(other.key) > 0 ? spread(other.key) < spread(one.key) : other.start > one.start;
      if (isHead && !isJoined(one, other)) described.add(one.key);
    }
  const keys = [...new Set(goods.map(({ key }) => key))];
  const kinds = keys.filter((key) => !isTrait(key) && !described.has(key));
  const traits = keys.filter(
    (key) =>
      isTrait(key) ||
      (described.has(key) &&
        kinds.every((kind) =>
          shop.catalogue.some(
            (item) => item.kinds.has(kind) && (item.kinds.has(key) || item.traits.has(key)),
          ),
        )),
  );
  // A gift is what many things can be.
  if (kinds.length === 1 && kinds[0] === "gift") return { kinds: [], traits: [...traits, "gift"] };
  // Who carries children wants no child's bike.
  return {
    kinds,
    traits: traits.includes("cargo") ? traits.filter((trait) => trait !== "children") : traits,
  };
}

/** The text between two positions: tokens, or characters in Japanese. */
function textBetween({ text, tokens, language }: Reading, from: number, to: number): string {
  if (language === "ja") return text.slice(from, to);
  const before = tokens[from - 1];
  const after = tokens[to];
  if (!before) return "";
  // An Arabic "and" is written on the word after it.
  return `${text.slice(before.at + before.written.length, after?.at ?? text.length)}${after?.written.slice(0, 1) ?? ""}`;
}

/** Sizes as on labels. A single letter is one only as a capital, or after the word for size. */
function sizesOf({ tokens, mentions, all }: Reading): string[] {
  const asked = mentions.some(({ type, key }) => type === "mark" && key === "size");
  const letters = tokens.filter(({ word, written }, index) => {
    if (/^(?:xs|xl|650b|700c)$/.test(word)) return true;
    const isUnit = /^\p{N}/u.test(tokens[index - 1]?.word ?? "");
    return !isUnit && (/^[SML]$/.test(written) || (asked && /^[sml]$/.test(word)));
  });
  return [...new Set([...letters.map(({ word }) => word.toUpperCase()), ...all("size")])];
}

function priceRangeOf({ text, language }: Reading): Pick<ProductQuery, "maxPrice" | "minPrice"> {
  const { upTo, from, pounds } = languageData[language];
  const plain = text.normalize("NFKC");
  const amount = "(?:£|€|¥|gbp|eur)?\\s*(\\d[\\d.,]*)";
  const most =
    new RegExp(`(?:${upTo})[^\\d\\p{L}]*${amount}`, "iu").exec(plain) ??
    /(\d[\d,.]*)[^\d\p{L}]*(?:\p{L}+\s*)?(?:以下|未満|まで|以内)/u.exec(plain);
  const least =
    new RegExp(`(?:${from})\\s*${amount}\\s*(?:£|€|${pounds})`, "iu").exec(plain) ??
    new RegExp(`(?:${from})\\s*£\\s*(\\d[\\d.,]*)`, "iu").exec(plain);
  const mentioned = new RegExp(`£\\s*(\\d[\\d.,]*)|(\\d[\\d.,]*)\\s*(?:£|(?:${pounds}))`, "iu").exec(plain);
  const range: Pick<ProductQuery, "maxPrice" | "minPrice"> = {};
  if (least?.[1]) range.minPrice = parseAmount(least[1]);
  if (most?.[1] && least === null) range.maxPrice = parseAmount(most[1]);
  const named = mentioned?.[1] ?? mentioned?.[2];
  // An amount without a qualifier is a budget: "I have £500".
  if (named && range.maxPrice === undefined && range.minPrice === undefined)
    range.maxPrice = parseAmount(named);
  return range;
}

/** Reads "1,899", "1.899" and "1899" as the same amount, and the pence of "19.50". */
function parseAmount(written: string): number {
  const plain = written.replace(/[.,]$/, "").replace(/[.,](?=\d{3}(?:\D|$))/g, "");
  return Number(plain.replace(",", "."));
}

/** Order references in a text, in the shop's own form ("TT-100482"). */
export function referencesIn(text: string): string[] {
  const found = text.matchAll(/\b(TT|W|C|X)[\s-]?(\d{3,6})\b/giu);
  return [...new Set(Array.from(found, ([, letters, number]) => `${letters?.toUpperCase()}-${number}`))];
}

/** The lengths in a text, in centimetres: "172 cm", "1.80 m", "1m65", "57cm". */
export function lengthsIn(text: string): number[] {
  const plain = text.normalize("NFKC");
  const metres = plain.matchAll(/\b([12])\s?(?:[.,]|m)\s?(\d{2})\s?m?\b/giu);
  const centimetres = plain.matchAll(/(\d{2,3})\s?(?:cm|センチ|سم)/giu);
  return [
    ...Array.from(metres, ([, m, cm]) => Number(`${m}${cm}`)),
    ...Array.from(centimetres, ([, cm]) => Number(cm)),
  ];
}

/** Whether a query names no product, kind, trait or brand. */
export function isEmptyQuery({ ids, kinds, traits, brand }: ProductQuery): boolean {
  return [ids, kinds, traits, brand].every((wish) => wish === undefined);
}
