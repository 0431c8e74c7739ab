/** The properties in a message of the products that it means, by the shop's own content. */
import { type CatalogueItem, hasTrait } from "../knowledge/catalogue.ts";
import { isProductSort, type ProductQuery } from "../knowledge/find-products.ts";
import type { Shop } from "../knowledge/shop.ts";
import { parseAmount } from "../language/figures.ts";
import { fold } from "../language/fold.ts";
import { languageData } from "../language/languages.ts";
import { isAround, type Mention } from "../language/lexicon.ts";
import type { Reading } from "../language/reading.ts";

/** The catalogue query of a text, without anything from earlier messages. `isBudget`: as for prices. */
export function productQueryOf(reading: Reading, shop: Shop, isBudget = false): ProductQuery {
  const { kinds, traits } = goodsOf(reading, shop);
  const named = namedItems(reading, shop);
  const [brand] = reading.all("brand");
  const isTrait = (at: number) =>
    [...reading.mentions.filter(({ key }) => traits.includes(key)), ...reading.refused].some(
      ({ start, end }) => start <= at && at < end,
    );
  const left = reading.tokens.filter((_, index) => !isTrait(index));
  // "Multi tool" is a multitool.
  const joined = left.map(({ word }, index) => word + (left[index + 1]?.word ?? ""));
  const words = [...left.map(({ stem }) => stem), ...joined];
  const [store] = reading.all("store");
  // Only one that a price has: letters of "dollar" are in the Japanese words for handlebar and saddle.
  const isPriced = (code: string) => shop.catalogue.some(({ product }) => product.price?.currency === code);
  const currency = hasOtherMoney(reading) ? undefined : reading.all("currency").find(isPriced);
  const prices = priceRangeOf(reading, isBudget);
  const sort = reading.all("measure").find(isProductSort);
  const rare = words.filter((stem) => !shop.intents.isCommon(stem));
  const isCalled = (word: string) => word.length > 2 && shop.catalogue.some((item) => item.words.has(word));
  const isOpen = named.length === 0 && brand === undefined && traits.length === 0;
  const wanted: ProductQuery = {
    ...(named.length > 0 ? { ids: named.map(({ product }) => product.id) } : { brand }),
    kinds,
    // A word of one of several kinds says nothing about the others.
    words: kinds.length === 1 ? rare : kinds.length === 0 && isOpen ? rare.filter(isCalled) : undefined,
    ...(reading.all("mark").includes("sale") ? { onlySale: true } : {}),
    ...prices,
    traits,
    colours: reading.all("colour"),
    sizes: sizesOf(reading),
    // "My budget is £500" asks for no cheapest one.
    sort: sort === "cheapest" && prices.maxPrice !== undefined ? undefined : sort,
    store,
    currency,
  };
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => isGiven(value)));
}

/** The products that a text refuses: by name, kind, trait, place, or because they come in no other colour. */
export function refusedIds(
  { refused }: Reading,
  query: ProductQuery,
  shown: readonly CatalogueItem[],
  shop: Shop,
): string[] {
  const keys = (type: Mention["type"]) => refused.flatMap((each) => (each.type === type ? [each.key] : []));
  const [names, goods, colours] = [keys("name"), keys("good"), keys("colour")];
  const brands = keys("brand").filter((brand) => brand !== query.brand);
  const positions = keys("position").map((at) => (at === "last" ? shown.at(-1) : shown[Number(at) - 1]));
  const isRefused = (item: CatalogueItem) =>
    (names.includes(item.name) && !query.ids?.includes(item.product.id)) ||
    goods.some((good) => hasTrait(item, good) && !query.kinds?.includes(good)) ||
    brands.includes(item.product.brand ?? "") ||
    (colours.length > 0 && item.product.colours.every((colour) => colours.includes(colour))) ||
    positions.includes(item);
  return shop.catalogue.filter(isRefused).map(({ product }) => product.id);
}

/** Whether a query names no product, kind, trait or brand. */
export function isEmptyQuery({ ids, kinds, traits, brand }: ProductQuery): boolean {
  return [ids, kinds, traits, brand].every((wish) => wish === undefined);
}

/** The products that a text names. Products can share a name: "Fell" is the bike, "Fell frame" the frame. */
function namedItems(reading: Reading, shop: Shop): readonly CatalogueItem[] {
  const goods = reading.all("good");
  return reading.all("name").flatMap((name) => {
    const items = shop.catalogue.filter((item) => item.name === name);
    const fits = (item: CatalogueItem) => goods.filter((good) => hasTrait(item, good)).length;
    const most = Math.max(...items.map(fits));
    const fitting = items.filter((item) => fits(item) === most);
    const whole = fitting.filter((item) => !item.kinds.has("part"));
    return whole.length > 0 ? whole : fitting;
  });
}

/**
 * The goods that are wanted, and those that only describe them. Of two kinds side by side the narrower one is
 * wanted ("bike helmet"), unless something joins them ("bikes and helmets").
 */
function goodsOf(reading: Reading, shop: Shop): { kinds: string[]; traits: string[] } {
  const spread = (key: string) => shop.catalogue.filter((item) => item.kinds.has(key)).length;
  const isTrait = (key: string) => spread(key) === 0 && shop.catalogue.some((item) => item.traits.has(key));
  // A "gravel bike" is a bike, a "gift card" is no gift, and a "used e-bike" neither a bike nor electric.
  const mentions = reading.mentions.filter(({ type }) => type === "good");
  const isInThing = (one: Mention) => mentions.some((other) => isAround(other, one) && !isTrait(other.key));
  const goods = mentions.filter((one) => !isInThing(one));
  const things = goods.filter(({ key }) => !isTrait(key));
  const joins = new RegExp(languageData[reading.language].joins, "iu");
  const described = new Set<string>();
  for (const one of things)
    for (const other of things) {
      if (one.key === other.key) continue;
      // What the shop does not have is wanted if it comes last: a "bike lock" is a lock.
      const isHead = spread(other.key) > 0 ? spread(other.key) < spread(one.key) : other.start > one.start;
      const between = textBetween(reading, Math.min(one.end, other.end), Math.max(one.start, other.start));
      if (isHead && !joins.test(between)) described.add(one.key);
    }
  const keys = [...new Set(goods.map(({ key }) => key))];
  const kinds = keys.filter((key) => !isTrait(key) && !described.has(key));
  const traits = keys.filter(isTrait);
  // "Not a gravel bike, a touring one" wants a bike.
  const others = reading.refused.filter(({ type, key }) => type === "good" && !isTrait(key));
  if (kinds.length === 0 && (traits.length > 0 || reading.all("measure").length > 0))
    kinds.push(...others.map(({ key }) => key));
  // A gift is what many things can be.
  if (kinds.length === 1 && kinds[0] === "gift") return { kinds: [], traits: [...traits, "gift"] };
  // Who carries children wants no child's bike.
  return { kinds, traits: traits.filter((trait) => trait !== "children" || !traits.includes("cargo")) };
}

/** The text between two positions: tokens, or characters where words have no spaces. */
function textBetween({ text, tokens, language }: Reading, from: number, to: number): string {
  if (languageData[language].space === "") return text.slice(from, to);
  const before = tokens[from - 1];
  const after = tokens[to];
  if (!before) return "";
  // An Arabic "and" is written on the word after it.
  return text.slice(before.at + before.written.length, after && after.at + 1);
}

/** Sizes as on labels. A single letter is one only as a capital, or after the word for size. */
function sizesOf({ tokens, all }: Reading): string[] {
  const asked = all("mark").includes("size");
  const letters = tokens.filter(({ word, written }, index) => {
    if (/^(?:xs|xl|650b|700c)$/.test(word)) return true;
    // "What's" is no size S.
    const isBeside = /^[\p{N}'’]/u.test(tokens[index - 1]?.word ?? "");
    return !isBeside && (/^[SML]$/.test(written) || (asked && /^[sml]$/.test(word)));
  });
  return [...new Set([...letters.map(({ word }) => word.toUpperCase()), ...all("size")])];
}

/** Whether a text has an amount of another currency, which no price in pounds can be compared with. */
export function hasOtherMoney({ figures, language }: Reading): boolean {
  const names = fold(Object.values(languageData[language].words.currency).join().replace(/,\s*/g, "|"));
  // A Japanese unit, such as a thousand, stands between. A name is a whole word where words have spaces.
  const money = `[€$¥]\\s?\\d|\\d\\s?(?:[€$¥]|\\p{Lo}?(?:${names})(?!\\p{Script=Latin}|\\p{Script=Arabic}))`;
  return new RegExp(money, "iu").test(figures);
}

/** An amount without a qualifier is a budget: "I have £500". `isBudget`: whether any number is one, too. */
export function priceRangeOf(
  reading: Reading,
  isBudget = false,
): Pick<ProductQuery, "maxPrice" | "minPrice"> {
  if (hasOtherMoney(reading)) return {};
  const { figures, language } = reading;
  const { units, ...words } = languageData[language];
  const [upTo, orLess, from, pounds] = [words.upTo, words.orLess, words.from, words.pounds].map(fold);
  const number = `(?<![\\d.,])(\\d[\\d.,]{0,9})(?![\\d.,]|\\s*(?:${fold(units)}))`;
  const amount = `(?:£|gbp)?\\s*${number}`;
  // "No more than £50" has the words of "more than £50" in it: the first pattern that is found counts.
  const patterns: readonly ["maxPrice" | "minPrice", string][] = [
    ["maxPrice", `(?:${upTo})[^\\d\\p{L}]*${amount}`],
    ["maxPrice", `${number}[^\\d\\p{L}]*(?:\\p{L}+\\s*)?(?:${orLess})`],
    ["minPrice", `(?:${from})\\s*(?:${amount}\\s*(?:£|${pounds})|£\\s*(\\d[\\d.,]*))`],
    ["maxPrice", `£\\s*(\\d[\\d.,]*)|(\\d[\\d.,]*)\\s*(?:£|(?:${pounds}))`],
    ["maxPrice", isBudget ? number : "$^"],
  ];
  for (const [limit, pattern] of patterns) {
    const found = new RegExp(pattern, "iu").exec(figures)?.slice(1).find(Boolean);
    if (found !== undefined) return { [limit]: parseAmount(found) };
  }
  return {};
}
