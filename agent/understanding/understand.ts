/** From a message to the customer's wishes: by the examples' intents, the shop's names, and the dialogue. */
import { splitSentences } from "../knowledge/sentences.ts";
import type { Shop } from "../knowledge/shop.ts";
import { referencesIn } from "../language/figures.ts";
import { languageData } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { certain, type IntentRow, type Ranked } from "../learning/intents.ts";
import { afterWish, type Dialogue, type Wish } from "./dialogue.ts";
import { productWish } from "./product-wish.ts";
import { isEmptyQuery, productQueryOf } from "./slots.ts";

export interface Understanding {
  wishes: readonly Wish[];
  /** Intents between which the message does not decide, the likeliest first; a wish is its guess. */
  unsure: readonly Ranked[];
  /** Small talk in the message, answered in a word beside a wish. */
  talk: ReadonlySet<string>;
}

/**
 * Measured on the split by author: answers above `sure` are wrong for 3 % of all sentences, and most below
 * `floor` are wrong. Between them the agent says that it is not sure, or asks.
 */
export const sure = 0.88;
const likely = 0.4;
const floor = 0.22;
/** A part of a message counts as a wish of its own only if it is clear. */
const sureOfPart = 0.87;
/** A message that is clear as a whole rarely has a second wish, unless it asks one. */
const sureBesideClear = 0.95;
const maxWishes = 3;
/** A message of more parts is a list or a story, whose single parts mean little. */
const maxParts = 16;

export function understand(text: string, dialogue: Dialogue, shop: Shop): Understanding {
  const reading = shop.read(text, dialogue.language);
  const ranked = rank(reading, dialogue, shop);
  const [best] = ranked;
  const parts = partsOf(reading, shop).flatMap((part) => {
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
  if (best.row.instead && best.confidence >= floor)
    return found(instead([...parts.map((part) => part.reading).reverse(), reading], dialogue, shop));
  const several = severalWishes(clear, dialogue, shop);
  if (several.length > 1) return found(several);
  // A greeting around a question is not the question.
  const isGreeting = !isAbout(best.row) && !talk.has("upset");
  const candidates = isGreeting ? parts.filter((part) => part.best.confidence >= likely) : clear;
  const [only] = candidates.filter((part) => isAbout(part.best.row));
  if (best.confidence >= sure && (isAbout(best.row) || !only)) return wish(best);
  // A long message can hide one clear wish among its reasons.
  if (only) return wish(only.best, only.reading);
  if (best.confidence >= likely)
    return found([complete(best, reading, dialogue, shop)], isAbout(best.row) ? ranked : []);
  return found([], best.confidence >= floor ? ranked : []);
}

function rank(reading: Reading, dialogue: Dialogue, shop: Shop): Ranked[] {
  const ranked = shop.intents.rank(reading, priorsOf(reading, dialogue));
  const [best] = ranked;
  // An order's number in a sentence says what it is about.
  const isClear = best !== undefined && best.confidence >= sure;
  const isOfOrder = best?.row.orders || best?.row.form || (isClear && pageOf(best.row) === "order-tracking");
  return referencesIn(reading.text).length > 0 && !isOfOrder ? [certain("order-status"), ...ranked] : ranked;
}

/** How much the dialogue speaks for an intent. */
export function priorsOf(
  { tokens, text, language, all }: Reading,
  { last, shown }: Pick<Dialogue, "last" | "shown">,
): (row: IntentRow) => number {
  // "And to France?" joins the last question.
  const joins = new RegExp(`^(?:${languageData[language].joins})`, "iu").test(text);
  const isBare = tokens.length <= 6 && all("good").length + all("name").length === 0;
  // A workshop's service among the products is about the workshop.
  const topics = [topicOf(last?.row), ...(last?.about?.product.tags ?? [])];
  return (row) => {
    const { same, orders, products, after } = row;
    if ((after === "products" && shown.length === 0) || (same && last === null)) return 0;
    // "How much is it?" beside a booking is about no product.
    if (products === "price" && isBare && last?.row.form) return 0;
    if (same && joins) return tokens.length <= 4 ? 10 : 3;
    // A short question after an answer about the workshop is about it, and after an order about orders.
    const isNear = topics.includes(topicOf(row) ?? "") || (orders && last?.row.orders);
    return isBare && isNear ? 20 : 1;
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
function isAbout({ talk, unknown, instead, offer }: IntentRow): boolean {
  return !talk && !unknown && !instead && offer !== "upset" && offer !== "not_helped";
}

function partsOf({ text, language }: Reading, shop: Shop): Reading[] {
  const breaks = new RegExp(languageData[language].breaks, "iu");
  const parts = text
    .split(/\n+/)
    .flatMap((line) => splitSentences(line, language))
    .flatMap((sentence) => sentence.split(breaks))
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
