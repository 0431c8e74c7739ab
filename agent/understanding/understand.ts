/** From a message to the customer's wishes: by the examples' intents, the shop's names, and the dialogue. */
import { splitSentences } from "../knowledge/sentences.ts";
import type { Shop } from "../knowledge/shop.ts";
import { referencesIn } from "../language/figures.ts";
import { type Language, languageData } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { answerOf, certain, type IntentRow, type Ranked } from "../learning/intents.ts";
import measured from "./bounds.json" with { type: "json" };
import { afterWish, type Dialogue, type Wish } from "./dialogue.ts";
import { namedBy } from "./named.ts";
import { productWish } from "./product-wish.ts";
import { isEmptyQuery, productQueryOf } from "./slots.ts";

export type Understanding = ReturnType<typeof understand>;

/** Of all sentences of the split by author, 2 % get a wrong page or product without a doubt. */
export const sure = 0.95;
/** How sure it must be of an intent to answer without asking, by what strangers meant by it. */
const bounds: Readonly<Record<string, number>> = measured;
/** A reading that is less likely than this is not worth a choice. */
const floor = 0.1;
/** Another reading is a rival from this share of the best one's confidence on. */
const rivals = 0.5;
const likely = 0.4;
/** A part of a message counts as a wish of its own only if it is clear. */
const sureOfPart = 0.87;
/** A message that is clear as a whole rarely has a second wish, unless it asks one. */
const sureBesideClear = 0.95;
const maxWishes = 3;
/** A message of more parts is a list or a story, whose single parts mean little. */
const maxParts = 16;

/**
 * `unsure`: intents between which the message does not decide, the likeliest first; a wish is its guess.
 * `talk`: small talk in the message, answered in a word beside a wish.
 */
export function understand(text: string, dialogue: Dialogue, shop: Shop) {
  const reading = shop.read(text, dialogue.language);
  const ranked = rankWithEnd(reading, dialogue, shop);
  const [best] = ranked;
  const parts = partsOf(reading, clausesOf, shop).flatMap((part) => {
    const [own] = rank(part, dialogue, shop);
    return own ? [{ reading: part, best: own }] : [];
  });
  const isWhole = best !== undefined && best.confidence >= sureBesideClear;
  const clear = parts.filter(
    ({ reading: part, best: own }) =>
      own.confidence >= (isWhole && !/[?？؟]\s*$/.test(part.text) ? sureBesideClear : sureOfPart),
  );
  const talk = new Set([best, ...clear.map((part) => part.best)].map((each) => each?.intent ?? ""));
  const found = (wishes: readonly Wish[], unsure: readonly Ranked[] = []) => ({ wishes, unsure, talk });
  const wish = (of: Ranked, told = reading) => found([complete(of, told, dialogue, shop)]);
  const isNonsense =
    reading.mentions.length === 0 && !reading.tokens.some(({ stem }) => shop.intents.isKnown(stem));
  if (!best || (isNonsense && referencesIn(text).length === 0)) return found([]);
  const ruled = ruledBy(reading, best, dialogue, shop);
  if (ruled) return wish(ruled);
  const isFollowUp = isJoined(reading) || (best.row.after !== undefined && best.confidence >= likely);
  const named = (isFollowUp ? [] : namedBy(reading, shop)).filter(
    ({ row }) => row.after !== "nothing" || dialogue.last === null,
  );
  const [name] = named;
  if (name) return named.length > 1 ? found([], named) : wish(name);
  if (best.row.instead && best.confidence >= likely / 2)
    return found(instead([...parts.map((part) => part.reading).reverse(), reading], dialogue, shop));
  const several = severalWishes(clear, dialogue, shop);
  if (several.length > 1) return found(several);
  // A greeting around a question is not the question.
  const [asked, ...more] = parts.filter((part) => !openings.has(part.best.intent));
  const isOpened = openings.has(best.intent) || (more.length === 0 && parts.length > 1);
  if (isOpened && asked && isAbout(asked.best.row) && asked.best.confidence >= likely)
    return wish(asked.best, asked.reading);
  if (best.confidence >= sure || (!isAbout(best.row) && !best.row.unknown)) return wish(best);
  const meanings = meaningsOf(ranked);
  // What joins the last question is answered like it.
  const follows = dialogue.last !== null && (isJoined(reading) || reading.tokens.length <= 4);
  const rival = follows ? undefined : meanings[1];
  const isTorn =
    rival !== undefined &&
    best.confidence < (bounds[best.intent] ?? 0.6) &&
    rival.confidence >= best.confidence * rivals;
  return isTorn || best.confidence < likely ? found([], meanings) : { ...wish(best), unsure: meanings };
}

const openings: ReadonlySet<string> = new Set(["greeting", "thanks", "goodbye"]);

/** The likeliest intents of different answers. */
function meaningsOf(ranked: readonly Ranked[]): readonly Ranked[] {
  const likeliest = Map.groupBy(ranked, ({ intent }) => answerOf(intent));
  return [...likeliest.values()].flatMap(([first]) => (first && first.confidence >= floor ? [first] : []));
}

/** A longer message tells a story first: its last sentences can say clearer what is wanted. */
const story = 45;

function rankWithEnd(reading: Reading, dialogue: Dialogue, shop: Shop): readonly Ranked[] {
  const ranked = rank(reading, dialogue, shop);
  if (reading.tokens.length < story) return ranked;
  const sentences = partsOf(reading, splitSentences, shop);
  const end = sentences.slice(-2).map(({ text }) => text);
  const [last, lastTwo] = [end.slice(-1), end].map((each) =>
    rank(shop.read(each.join(" "), reading.language), dialogue, shop),
  );
  const clarity = ([best]: readonly Ranked[]) => (best && isAbout(best.row) ? best.confidence : 0);
  return [ranked, last ?? [], lastTwo ?? []].reduce((one, other) =>
    clarity(other) > clarity(one) ? other : one,
  );
}

/** What the words of a message decide beside its intent: an amount, a refusal, a day for the workshop. */
function ruledBy(reading: Reading, best: Ranked, { shown }: Dialogue, shop: Shop): Ranked | null {
  if (referencesIn(reading.text).length > 0) return null;
  const { ids, kinds, traits, maxPrice } = productQueryOf(reading, shop);
  const marks = reading.all("mark");
  if (shown.length > 0 && (best.confidence < likely || best.row.products || !isAbout(best.row))) {
    if (maxPrice !== undefined && ids === undefined) return certain("budget");
    // It refuses goods and names no others.
    const isRefused = reading.refused.every((each) => reading.mentions.includes(each));
    if (reading.refused.length > 0 && isRefused) return others;
  }
  const isWithin = (kinds ?? traits) !== undefined && ids === undefined && maxPrice !== undefined;
  if (isWithin && best.confidence < sure && !marks.includes("price")) return certain("product-search");
  const when = reading.all("day").length + reading.all("moment").length > 0;
  const asksFact = ["price", "free", "duration"].some((mark) => marks.includes(mark));
  return when && !asksFact && best.row.bookable ? certain("workshop-book") : null;
}

/** The products but for those that a message refuses: "not the Kestrel". */
const others: Ranked = { ...certain("more-of-those"), row: { products: "others" } };

function rank(reading: Reading, dialogue: Dialogue, shop: Shop): Ranked[] {
  const ranked = shop.intents.rank(reading, priorsOf(reading, dialogue));
  const [best] = ranked;
  if (!best || referencesIn(reading.text).length === 0) return ranked;
  // An order's number in a sentence says what it is about, unless the order is to be changed.
  const clear = pageOf(best.row) === "order-tracking" ? likely : sureOfPart;
  if (best.row.form || (best.row.help && best.confidence >= clear)) return ranked;
  return [certain(best.row.orders ? best.intent : "order-status"), ...ranked];
}

/** "And to France?" joins the last question. */
function isJoined({ text, language }: Reading): boolean {
  return new RegExp(`^(?:${languageData[language].joins})`, "iu").test(text);
}

/** How much the dialogue speaks for an intent. */
export function priorsOf(
  reading: Reading,
  { last, shown }: Pick<Dialogue, "last" | "shown">,
): (row: IntentRow) => number {
  const { tokens, all } = reading;
  const joins = isJoined(reading);
  const isBare = tokens.length <= 6 && all("good").length + all("name").length === 0;
  // A workshop's service among the products is about the workshop.
  const topics = [topicOf(last?.row), ...(last?.about?.product.tags ?? [])];
  return (row) => {
    const { same, orders, products, after } = row;
    if ((after === "products" && shown.length === 0) || (same && last === null)) return 0;
    if (after === "nothing" && (last !== null || tokens.length > 6)) return 0;
    // "How much is it?" beside a booking is about no product.
    if (products === "price" && isBare && last?.row.form) return 0;
    if (same && joins) return last?.products && all("name").length > 0 ? 30 : tokens.length <= 4 ? 20 : 3;
    // A short question after an answer about the workshop is about it, and after an order about orders.
    const isNear = topics.includes(topicOf(row) ?? "") || (orders && last?.row.orders);
    if (isBare && isNear) return 20;
    // What names a product is more often about it than about a page.
    return products !== undefined && all("name").length > 0 ? 1.4 : 1;
  };
}

function pageOf(row: IntentRow | undefined): string | undefined {
  return row?.help?.[0]?.split("#")[0];
}

/** What a page or a form is about: the first word of its name. */
function topicOf(row: IntentRow | undefined): string | undefined {
  return (row?.help?.[0] ?? row?.form)?.split(/[#-]/)[0];
}

/** Whether an intent is about the shop, not small talk around it. */
function isAbout({ talk, ask, unknown, instead, offer }: IntentRow): boolean {
  return !talk && !ask && !unknown && !instead && offer !== "upset" && offer !== "not_helped";
}

function clausesOf(text: string, language: Language): string[] {
  const breaks = new RegExp(languageData[language].breaks, "iu");
  return splitSentences(text, language).flatMap((sentence) => sentence.split(breaks));
}

function partsOf({ text, language }: Reading, split: typeof clausesOf, shop: Shop): Reading[] {
  const parts = text
    .split(/\n+/)
    .flatMap((line) => split(line, language))
    .filter((part) => /[\p{L}\p{N}]/u.test(part ?? ""));
  return parts.length > 1 && parts.length <= maxParts ? parts.map((part) => shop.read(part, language)) : [];
}

/** The wishes of a message that asks for several things. */
function severalWishes(
  clear: readonly { reading: Reading; best: Ranked }[],
  dialogue: Dialogue,
  shop: Shop,
): Wish[] {
  const wishes: Wish[] = [];
  let now = dialogue;
  for (const { reading, best } of clear) {
    if (!isAbout(best.row)) continue;
    const wish = complete(best, reading, now, shop);
    // Some wishes get one answer, or one only explains the other.
    const isSame = ({ intent, products, row }: Wish) =>
      intent === wish.intent ||
      (products && wish.products) ||
      (row.by === "place" && wish.row.by === "place");
    if (wishes.some(isSame)) continue;
    wishes.push(wish);
    now = afterWish(now, wish);
  }
  return wishes.slice(0, maxWishes);
}

/** What is wanted instead: by the last text that says so, or the last wish with another thing. */
function instead(texts: readonly Reading[], dialogue: Dialogue, shop: Shop): Wish[] {
  for (const text of texts) {
    const prior = priorsOf(text, dialogue);
    const [best] = shop.intents.rank(text, (row) => (row.instead || row.talk ? 0 : prior(row)));
    if (best && best.confidence >= likely) return [complete(best, text, dialogue, shop)];
  }
  const whole = texts.at(-1);
  if (!dialogue.last || !whole) return [];
  const isEmpty = isEmptyQuery(productQueryOf(whole, shop));
  return [complete(certain(isEmpty ? "same-question-other-thing" : "product-search"), whole, dialogue, shop)];
}

/** Completes an intent from the dialogue. */
function complete({ intent, row }: Ranked, reading: Reading, dialogue: Dialogue, shop: Shop): Wish {
  const { last, shown } = dialogue;
  const query = productQueryOf(reading, shop);
  const isEmpty = isEmptyQuery(query);
  const isMeant = ({ product }: { product: { id: string } }) => product.id === query.ids?.[0];
  const about = (query.ids ? shop.catalogue.find(isMeant) : shown.length === 1 ? shown[0] : null) ?? null;
  const plain: Wish = { intent, row, reading, before: null, about, products: null };
  // "Can it be sent to me?" about a helmet.
  if (intent === "delivery-of-a-bike" && about && !about.kinds.has("bike"))
    return { ...plain, ...certain("delivery-cost") };
  const again = last && { ...plain, intent: last.intent, row: last.row, before: last.reading };
  // "How much is that?" after an answer from a page is about the page.
  const asksAgain = ["price", "stock"].includes(row.products ?? "") || shown.length === 0;
  if (row.products && asksAgain && again?.row.help && isEmpty && reading.tokens.length <= 5) return again;
  if (row.same && again) {
    const before = last.products;
    if (!before) return again;
    const search = { ...plain, ...certain("product-search") };
    // "And the Merlin?" repeats the last question for the Merlin; "and in red?" narrows what was shown.
    if (!query.ids)
      return { ...search, products: productWish(isEmpty ? "options" : "list", reading, dialogue, shop) };
    const mode = before.mode === "compare" ? "facts" : before.mode;
    return {
      ...search,
      reading: before.aspects.has("detail") ? last.reading : reading,
      products: { mode, query: { ids: query.ids }, aspects: before.aspects, except: new Set() },
    };
  }
  if (row.products) return { ...plain, products: productWish(row.products, reading, dialogue, shop) };
  // "How long does it take?" after "Do you deliver to Germany?" is about Germany.
  const isSamePage = row.help && isEmpty && pageOf(row) === pageOf(last?.row);
  return { ...plain, before: (isSamePage ? last?.reading : null) ?? null };
}
