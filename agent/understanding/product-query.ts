import { type CatalogueItem, namedItems } from "../knowledge/catalogue.ts";
import type { ProductQuery, ProductSort } from "../knowledge/find-products.ts";
import type { Shop } from "../knowledge/shop.ts";
import type { Concept, Mention } from "../language/concept-lexicon.ts";
import { fold } from "../language/fold.ts";
import type { Reading } from "../language/reading.ts";
import { tokenise } from "../language/tokens.ts";

/** Concepts that are kinds of products. The lexicon's other things describe a product's use or traits. */
const headKinds: ReadonlySet<Concept> = new Set<Concept>([
  "bike",
  "road-bike",
  "mountain-bike",
  "helmet",
  "jacket",
  "gloves",
  "socks",
  "clothing",
  "trousers",
  "shoes",
  "light",
  "pump",
  "tool",
  "part",
  "tube",
  "tyre",
  "wheel",
  "frame",
  "cable",
  "bag",
  "tent",
  "stove",
  "mug",
  "sticker",
  "gas",
  "lock",
  "bottle",
  "saddle",
  "mudguard",
  "bell-mirror",
  "scooter",
  "gift-card",
  "battery",
  "pedals",
  "chain",
  "camping",
]);
/** Kinds of bikes, which mean a bike when named alone. */
const bikeTraits: ReadonlySet<Concept> = new Set<Concept>(["gravel", "cargo", "electric", "touring"]);
const traits: ReadonlySet<Concept> = new Set<Concept>([
  ...bikeTraits,
  "children",
  "bikepacking",
  "commuting",
  "winter",
  "summer",
  "fingerless",
  "waterproof",
  "steel",
  "aluminium",
  "carbon",
  "wool",
  "visor",
  "rotation",
  "gift",
]);
const colours: Partial<Record<Concept, string>> = {
  "colour-red": "red",
  "colour-black": "black",
  "colour-white": "white",
  "colour-yellow": "yellow",
  "colour-silver": "silver",
  "colour-slate": "slate",
  "colour-sand": "sand",
  "colour-moss": "moss",
  "colour-lake": "lake",
  "colour-other": "other",
};

/** The catalogue query of a text, without anything from earlier messages. */
export function productQueryOf(reading: Reading, shop: Shop): ProductQuery {
  const named = namedItems(reading.tokens, reading.mentions, shop.catalogue);
  const plain = reading.mentions.filter((mention) => mention.weight >= 0.8);
  const brand = brandOf(reading, named, shop);
  const heads = headsOf(reading, plain, shop);
  const qualities = [
    ...new Set(plain.map(({ concept }) => concept).filter((concept) => traits.has(concept))),
  ];
  // Customers who carry children do not look for a child's bike.
  if (reading.has("load") >= 0.8 && qualities.includes("children"))
    qualities.splice(qualities.indexOf("children"), 1, "cargo");
  if (heads.length === 0 && qualities.some((quality) => bikeTraits.has(quality))) heads.push("bike");
  const query: ProductQuery = {};
  if (named.length > 0) {
    const numbered = named.filter((item) => hasNumberOf(item, reading));
    const meant = numbered.length > 0 ? numbered : named;
    query.ids = narrowNamed(meant, heads, qualities).map((item) => item.product.id);
  }
  if (brand !== undefined && (query.ids === undefined || heads.length === 0)) {
    query.brand = brand;
    delete query.ids;
  }
  if (heads.length > 1) qualities.push(...takeTraits(heads, shop));
  if (heads.length > 0) {
    query.kinds = heads;
    query.words = wordsFor(heads, reading);
  }
  if (qualities.length > 0) query.traits = qualities;
  // "Silver" is also a workshop service.
  const isService = (["bronze", "gold", "service"] as const).some((concept) => reading.has(concept) > 0);
  const wanted = isService ? [] : plain.flatMap(({ concept }) => colours[concept] ?? []);
  if (wanted.length > 0) query.colours = [...new Set(wanted)];
  const sizes = sizesOf(reading);
  if (sizes.length > 0) query.sizes = sizes;
  Object.assign(query, priceRangeOf(reading));
  const sort = sortOf(reading);
  if (sort) query.sort = sort;
  if (reading.has("sale") >= 0.8) query.onlySale = true;
  const store = (["kelderby", "brackwater", "ostle-quay"] as const).find((id) => reading.has(id));
  if (store) query.store = store;
  return query;
}

/** Removes and returns the kinds that only describe another: "mountain bike" in "mountain bike helmet". */
function takeTraits(heads: Concept[], shop: Shop): Concept[] {
  const has = (kind: Concept) => shop.catalogue.some((item) => item.kinds.has(kind));
  const isTrait = (kind: Concept) =>
    !has(kind) &&
    shop.catalogue.some((item) => item.traits.has(kind) && heads.some((head) => item.kinds.has(head)));
  const taken = heads.filter(isTrait);
  for (const kind of taken) heads.splice(heads.indexOf(kind), 1);
  return taken;
}

/**
 * The maker named in a text. Undefined if a product's number beside it shows that the text means that
 * product.
 */
function brandOf(reading: Reading, named: readonly CatalogueItem[], shop: Shop): string | undefined {
  const words = new Set(reading.tokens.map((token) => token.word));
  const brands = new Set(shop.data.products.flatMap((product) => product.brand ?? []));
  const brand = [...brands].find((each) => tokenise(each, "en").every((token) => words.has(token.word)));
  return named.some((item) => hasNumberOf(item, reading)) ? undefined : brand;
}

/** Stems of the customer's words for the kinds: "pannier" is a bag, but not every bag is a pannier. */
function wordsFor(heads: readonly Concept[], { tokens, mentions, language }: Reading): string[] {
  if (language !== "en") return [];
  const named = mentions.filter(({ concept, weight }) => weight >= 0.8 && heads.includes(concept));
  return named.flatMap(({ start, end }) => tokens.slice(start, end).map((token) => token.stem));
}

/** Whether the text has the number in the product's title, which distinguishes "Wick 900" from "Wick 300". */
function hasNumberOf({ product }: CatalogueItem, { tokens }: Reading): boolean {
  const numbers: readonly string[] = product.title.match(/\b\d{2,4}\b/g) ?? [];
  return tokens.some((token) => numbers.includes(token.word));
}

/**
 * Chooses among products that share a name by the other words: "Fell" is the bike, "Fell frame" the frame.
 */
function narrowNamed(
  named: readonly CatalogueItem[],
  heads: readonly Concept[],
  qualities: readonly Concept[],
): readonly CatalogueItem[] {
  const groups = new Map<string, CatalogueItem[]>();
  for (const item of named) {
    const key = [...item.names].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].flatMap((items) => {
    if (items.length < 2) return items;
    const isOf = (item: CatalogueItem, concept: Concept) =>
      item.kinds.has(concept) || item.traits.has(concept);
    const fitting = items.filter((item) => [...heads, ...qualities].every((concept) => isOf(item, concept)));
    const chosen = fitting.length > 0 ? fitting : items;
    const asksPart = heads.includes("part") || heads.includes("frame");
    const whole = chosen.filter((item) => asksPart || !item.kinds.has("part"));
    return whole.length > 0 ? whole : chosen;
  });
}

/**
 * The requested kinds. In "bikes and helmets" both count; in "bike helmet" or "spare inner tube" the first
 * word only describes the second.
 */
function headsOf(reading: Reading, mentions: readonly Mention[], shop: Shop): Concept[] {
  const kinds = mentions.filter(({ concept }) => headKinds.has(concept));
  const spreads = new Map(
    kinds.map(({ concept }) => [concept, shop.catalogue.filter((item) => item.kinds.has(concept)).length]),
  );
  const spread = ({ concept }: Mention) => spreads.get(concept) ?? 0;
  const joined = joinTest(reading);
  const heads = kinds.filter(
    (one) =>
      !kinds.some((other) => {
        if (other.concept === one.concept || spread(other) >= spread(one)) return false;
        // For goods that the shop does not have, only the last word is the request: a "bike lock" is a lock,
        // a "mountain bike helmet" a helmet.
        const isHead = spread(other) > 0 || other.start > one.start;
        return isHead && !joined(Math.min(one.end, other.end), Math.max(one.start, other.start));
      }),
  );
  return [...new Set(heads.map((mention) => mention.concept))];
}

const joining = /^(?:and|or|und|oder|et|ou|sowie|plus|as|also)$/;

/**
 * Returns a function that tells whether the text between two positions joins equals ("bikes and helmets").
 */
function joinTest(reading: Reading): (from: number, to: number) => boolean {
  if (reading.language !== "ja") return (from, to) => isJoined(reading, from, to);
  const text = fold(reading.text);
  return (from, to) => /[とやか、・]/.test(text.slice(from, to));
}

function isJoined(reading: Reading, from: number, to: number): boolean {
  if (reading.tokens.slice(from, to).some((token) => joining.test(token.word))) return true;
  const [first, second] = [reading.tokens[from - 1], reading.tokens[to]];
  if (reading.language === "ar" && second?.word.startsWith("و")) return true;
  return (
    first !== undefined && second !== undefined && /[,;&+/]/.test(reading.text.slice(first.at, second.at))
  );
}

const sizeWords: Partial<Record<Concept, string>> = {
  "size-s": "S",
  "size-m": "M",
  "size-l": "L",
  "size-xl": "XL",
};

function sizesOf(reading: Reading): string[] {
  const letters = reading.tokens.filter((token, index) => {
    if (/^(?:xs|xl|650b|700c)$/.test(token.word)) return true;
    // A single capital letter is a size, unless a number before it makes it a unit ("1.65 M").
    const before = reading.tokens[index - 1]?.word ?? "";
    return /^[SML]$/.test(token.written) && !/^\p{N}/u.test(before);
  });
  const words = reading.mentions.flatMap(({ concept }) => sizeWords[concept] ?? []);
  const lower = reading.has("size")
    ? reading.tokens.filter((token) => /^[sml]$/.test(token.word)).map((token) => token.word.toUpperCase())
    : [];
  return [...new Set([...letters.map((token) => token.word.toUpperCase()), ...words, ...lower])];
}

const upTo =
  /(?:under|below|less than|up to|max(?:imum)?|no more than|cheaper than|within|budget (?:of|is)?|unter|bis(?: zu)?|höchstens|maximal|weniger als|moins de|jusqu'?à|maximum|sous|أقل من|تحت|حتى|لا يزيد عن)\s*(?:£|€|¥|gbp|eur)?\s*(\d[\d.,]*)/iu;
const from =
  /(?:over|above|more than|at least|from|starting at|über|ab|mehr als|mindestens|plus de|à partir de|au moins|أكثر من|فوق)\s*(?:£|€|¥|gbp|eur)?\s*(\d[\d.,]*)\s*(?:£|€|pounds?|quid|pfund|livres?)/iu;
const japaneseUpTo = /(\d[\d,]*)\s*(?:ポンド|£|円)?\s*(?:以下|未満|まで|以内)/u;
const about = /(?:£\s*(\d[\d.,]*)|(\d[\d.,]*)\s*(?:£|pounds?|quid|pfund|livres?|جنيه))/iu;

function priceRangeOf(reading: Reading): Pick<ProductQuery, "maxPrice" | "minPrice"> {
  const text = reading.text.normalize("NFKC");
  const most = upTo.exec(text) ?? japaneseUpTo.exec(text);
  const least = from.exec(text);
  const range: Pick<ProductQuery, "maxPrice" | "minPrice"> = {};
  if (most?.[1]) range.maxPrice = parseAmount(most[1]);
  if (least?.[1]) range.minPrice = parseAmount(least[1]);
  const mentioned = about.exec(text);
  const amount = mentioned?.[1] ?? mentioned?.[2];
  // An amount without a qualifier is a budget: "I have £500".
  if (range.maxPrice === undefined && range.minPrice === undefined && amount)
    range.maxPrice = parseAmount(amount);
  return range;
}

/** Reads "1,899", "1.899" and "1899" as the same amount, and the pence of "19.50". */
function parseAmount(written: string): number {
  const plain = written.replace(/[.,]$/, "").replace(/[.,](?=\d{3}(?:\D|$))/g, "");
  return Number(plain.replace(",", "."));
}

function sortOf(reading: Reading): ProductSort | undefined {
  if (reading.has("cheap")) return "cheapest";
  if (reading.has("expensive")) return "dearest";
  if (reading.has("lightweight") >= 0.8) return "lightest";
  if (reading.has("lumens")) return "brightest";
  return undefined;
}

/** True if the query names no product, kind, trait or brand. */
export function isEmptyQuery(query: ProductQuery): boolean {
  return [query.ids, query.kinds, query.traits, query.brand].every((wish) => wish === undefined);
}
