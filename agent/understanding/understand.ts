/** Finds the customer's wishes in a message: by the examples' intents, the shop's names, and the dialogue. */

import { detailsOf } from "../knowledge/product-details.ts";
import type { Shop } from "../knowledge/shop.ts";
import { referencesIn } from "../language/figures.ts";
import { languageData, type SlotType, splitSentences } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { certain, type IntentRow, type Ranked } from "../learning/intents.ts";
import measured from "./bounds.json" with { type: "json" };
import { afterWish, type Dialogue, type Wish } from "./dialogue.ts";
import { meaningsOf, namedBy } from "./meaning.ts";
import { productWish } from "./product-wish.ts";
import { hasOtherMoney, isEmptyQuery, productQueryOf } from "./slots.ts";

export interface Understanding {
  wishes: readonly Wish[];
  /** The wishes between which the message does not decide, the likeliest first; none if `wishes` has any. */
  unsure: readonly (Wish & { name: string })[];
  /** Small talk in the message, answered in a word beside a wish. */
  talk: ReadonlySet<string>;
  /** The confidence of the likeliest intent; 1 if a rule decided. */
  confidence: number;
}

/** The confidence from which a message is answered without asking. */
export const sure = 0.97;
/** The same for intents that are mostly meant by messages of less confidence. */
const bounds: Readonly<Record<string, number>> = measured;
const likely = 0.4;
/** Meanings that are less likely are not worth a choice: the agent says that it does not know. */
const leastLikely = 0.2;
/** A part of a message counts as a separate wish only if it is clear. */
const sureOfPart = 0.9;
/** A message that refers to the last one is short, and so less clear. */
const sureOfFollowUp = 0.6;
const maxWishes = 3;
/** A message of more parts is a list or a story, whose single parts mean little. */
const maxParts = 16;

export function understand(text: string, dialogue: Dialogue, shop: Shop): Understanding {
  const reading = shop.read(text, dialogue.language);
  const ranked = rank(reading, dialogue, shop);
  const [best] = ranked;
  // "No refund, just another colour" is about returns, as is "and what does that cost?" after it.
  let topic: Ranked | null = null;
  const parts = partsOf(reading, shop).flatMap((part) => {
    const [own] = rank(part, { ...dialogue, topic }, shop);
    if (own && isAbout(own.row)) topic = own;
    return own ? [{ reading: part, best: own }] : [];
  });
  // "I don't want to return it, I want to exchange it" wants one thing.
  const [refused, instead] = [parts.filter(isRefused), parts.filter((part) => !isRefused(part))];
  const meant = instead.find(({ best: { row, confidence } }) => isAbout(row) && confidence >= sureOfFollowUp);
  if (meant && refused.length > 0 && reading.refused.length === 0) {
    const rest = instead.map((part) => part.reading.text).join(languageData[reading.language].space);
    return understand(rest, { ...dialogue, topic: refused[0]?.best ?? null }, shop);
  }
  const isWhole = best !== undefined && best.confidence >= sure;
  const told = parts.filter(({ reading: part, best: own }) => {
    // A message that is clear as a whole rarely has a second wish, unless it asks one. Of many parts most
    // tell a story.
    const isOne = isWhole && refused.length === 0 && !/[?？؟]\s*$/.test(part.text);
    const enough = isOne || parts.length > 2 ? sure : sureOfPart;
    return own.confidence >= enough;
  });
  const wanted = told.filter((part) => !isRefused(part));
  const clear = wanted.length > 0 ? wanted : told;
  const talk = new Set([best, ...clear.map((part) => part.best)].map((each) => each?.intent ?? ""));
  const found = (wishes: readonly Wish[], confidence = 1) => ({ wishes, unsure: [], talk, confidence });
  const wish = (of: Ranked) => found([complete(of, reading, dialogue, shop)], of.confidence);
  const unsureOf = (among: readonly Ranked[]) => {
    const isGuess = (among[0]?.confidence ?? 0) < leastLikely;
    const unsure = (isGuess ? [] : meaningsOf(among, reading, shop)).map((each) => ({
      ...complete(each, reading, dialogue, shop),
      name: each.name,
    }));
    return { wishes: [], unsure, talk, confidence: among[0]?.confidence ?? 0 };
  };
  const isNonsense =
    reading.mentions.length === 0 && !reading.tokens.some(({ stem }) => shop.intents.isKnown(stem));
  if (!best || (isNonsense && referencesIn(text).length === 0)) return found([]);
  const question = questionAfterStory(reading);
  const asked = question === "" ? undefined : understand(question, dialogue, shop);
  const [main] = asked?.wishes ?? [];
  const isClear = asked && asked.confidence >= sure && (!isWhole || main?.intent === best.intent);
  if (main && isAbout(main.row) && isClear)
    // The story says which product it is.
    return main.products ? wish(certain(main.intent)) : asked;
  // "A helmet, but not the Kestrel" names what it refuses.
  const isOfGoods = refused.length > 0 && meant?.best.row.products !== undefined;
  const ruled = isOfGoods ? meant.best : ruledBy(reading, best, dialogue, shop);
  if (ruled) {
    // A day and a shop belong to the booking, "and also buy a tube" does not.
    const beside = clear.filter(
      ({ reading: { all }, best: { row } }) =>
        !row.bookable && (["day", "moment", "store"] as const).every((type) => all(type).length === 0),
    );
    return found(severalWishes([{ reading, best: ruled }, ...beside], dialogue, shop));
  }
  const isFollowUp = isJoined(reading) || (best.row.after !== undefined && best.confidence >= likely);
  const named = (isFollowUp ? [] : namedBy(reading, shop)).filter(
    ({ row }) => row.after !== "nothing" || dialogue.last === null,
  );
  const [name] = named;
  if (name?.row.hours && dialogue.last?.row.hours) return wish(certain("same-question-other-thing"));
  if (name) return meaningsOf(named, reading, shop).length > 1 ? unsureOf(named) : wish(name);
  const several = severalWishes(clear, dialogue, shop);
  // A greeting around a question is not the question.
  const isOnly = openings.has(best.intent) || (wanted.length < told.length && !several[0]?.products);
  if (several.length > 1 || (several.length === 1 && isOnly)) return found(several);
  // What joins or completes the last question is answered like it.
  const joins = isJoined(reading) || reading.all("mark").includes("it") || best.row.after !== undefined;
  const follows = dialogue.last !== null && (joins || reading.tokens.length <= 4);
  const enough = follows ? sureOfFollowUp : (bounds[best.intent] ?? sure);
  const isSmall = !isAbout(best.row);
  // A part can say clearly what the whole means.
  const isSaid = clear.some((part) => part.best.intent === best.intent && part.best.confidence >= sure);
  return best.confidence >= enough || isSmall || isSaid ? wish(best) : unsureOf(ranked);
}

const openings: ReadonlySet<string> = new Set(["greeting", "thanks", "goodbye", "never-mind"]);

/**
 * The properties that the words of a message decide beside its intent: an amount, a refusal, a day for the
 * workshop.
 */
function ruledBy(reading: Reading, best: Ranked, { shown, last }: Dialogue, shop: Shop): Ranked | null {
  if (referencesIn(reading.text).length > 0) return null;
  const { ids, kinds, traits, maxPrice } = productQueryOf(reading, shop);
  const marks = reading.all("mark");
  if (shown.length > 0 && (best.confidence < likely || best.row.products || !isAbout(best.row))) {
    if (maxPrice !== undefined && ids === undefined) return certain("budget");
    // The customer does not want these products, and names no others.
    const isRefused = reading.refused.every((each) => reading.mentions.includes(each));
    if (reading.refused.length > 0 && isRefused) return otherGoods;
  }
  // "Are they USB?" and "what gas does it take?" are about what was shown.
  const isShort = reading.tokens.length <= 6;
  const isTold = isShort && shown.some((item) => detailsOf(item, reading, shop).length > 0);
  const isOfShown = (marks.includes("it") && best.confidence < sureOfFollowUp) || marks.includes("colour");
  if (shown.length > 0 && best.confidence < sure && ids === undefined && (isOfShown || isTold))
    return certain("more-detail");
  // "Anything for a grand?" names nothing else.
  const isAmount =
    reading.tokens.length <= 8 && reading.mentions.every(({ type }) => besideAmounts.has(type));
  // "About a hundred euros": no price can be compared with it.
  if (isAmount && hasOtherMoney(reading)) return certain("product-price");
  const isOfGoods = (kinds ?? traits) !== undefined || isAmount || best.row.products === "list";
  const isWithin = isOfGoods && ids === undefined && maxPrice !== undefined;
  if (isWithin && best.confidence < sure && !marks.includes("price")) return certain("product-search");
  const when =
    reading.all("day").length + reading.all("moment").length > 0 ||
    marks.includes("weekend") ||
    marks.includes("soon");
  const asksFact = ["price", "free", "duration"].some((mark) => marks.includes(mark));
  // "How much does that cost?" after an answer from a page.
  if (last?.row.help && asksFact && isBare(reading) && (marks.includes("it") || reading.tokens.length <= 3))
    return certain("same-question-other-thing");
  return when && !asksFact && best.row.bookable ? certain("workshop-book") : null;
}

const besideAmounts: ReadonlySet<SlotType> = new Set(["mark", "filler", "currency", "measure"]);

/** The products but for those that a message refuses: "not the Kestrel". */
const otherGoods: Ranked = { ...certain("more-of-those"), row: { products: "others" } };

function rank(reading: Reading, dialogue: Dialogue, shop: Shop): Ranked[] {
  const ranked = shop.intents.rank(reading, priorsOf(reading, dialogue));
  const [best] = ranked;
  if (!best || referencesIn(reading.text).length === 0) return ranked;
  // An order's number in a sentence says what it is about, unless a page or a form is.
  if (best.row.form || best.row.help) return ranked;
  return [certain(best.row.orders ? best.intent : "order-status"), ...ranked];
}

/** Whether a clause says what is not wanted. */
function isRefused({ reading: { text, language } }: { reading: Reading }): boolean {
  const { not, notAfter } = languageData[language];
  const before = `^\\P{L}*(?:\\p{L}+\\P{L}+){0,2}${not}`;
  return new RegExp(`${before}|(?:${notAfter})\\p{L}?\\P{L}*$`, "iu").test(text);
}

/** "And to France?" joins the last question. */
function isJoined({ text, language }: Reading): boolean {
  return new RegExp(`^(?:${languageData[language].joins})`, "iu").test(text);
}

/** How much the dialogue speaks for an intent. */
export function priorsOf(
  reading: Reading,
  { last, shown, topic }: Pick<Dialogue, "last" | "shown" | "topic">,
): (row: IntentRow) => number {
  const { tokens, all } = reading;
  const joins = isJoined(reading);
  // A workshop's service among the products is about the workshop.
  const topics = [topicOf((topic ?? last)?.row), ...(last?.about?.product.tags ?? [])];
  return (row) => {
    const { same, instead, orders, products, after } = row;
    if (instead || (after === "products" && shown.length === 0) || (same && last === null)) return 0;
    if (after === "nothing" && (last !== null || tokens.length > 6)) return 0;
    // "How much is it?" beside a booking is about no product.
    if (products === "price" && isBare(reading) && last?.row.form) return 0;
    if (same && joins) return last?.products && all("name").length > 0 ? 30 : tokens.length <= 4 ? 20 : 3;
    // A short question stays with the subject of the last answer: the workshop, or orders.
    const isNear =
      topics.includes(topicOf(row) ?? "") ||
      (orders && last?.row.orders) ||
      (products && topic?.row.products);
    if (isBare(reading) && isNear)
      return (topic ?? last?.row.form) && all("mark").includes("price") ? 10_000 : 20;
    // What names a product is more often about it than about a page: "How much is the Fell 2 in euros?"
    if (products === undefined || all("name").length === 0) return 1;
    return all("currency").length > 0 ? 6 : 2;
  };
}

/** Whether a message names no goods, product or place. */
function isBare({ tokens, all }: Reading): boolean {
  return tokens.length <= 6 && (["good", "name", "place"] as const).every((type) => all(type).length === 0);
}

function pageOf(row: IntentRow | undefined): string | undefined {
  return row?.help?.[0]?.split("#")[0];
}

/** The subject of a page or a form: the first word of its name. */
function topicOf(row: IntentRow | undefined): string | undefined {
  return (row?.help?.[0] ?? row?.form)?.split(/s?(?:[#-]|$)/)[0];
}

/** Whether an intent is about the shop, not small talk around it. */
export function isAbout({ talk, ask, unknown, offer }: IntentRow): boolean {
  return !talk && !ask && !unknown && offer !== "upset" && offer !== "not_helped";
}

/** The question that ends a long message; before it are sentences that only tell a story. */
function questionAfterStory({ text, language }: Reading): string {
  const sentences = splitSentences(text, language);
  const end = sentences.findLastIndex((sentence) => !/[?？؟]$/.test(sentence)) + 1;
  return end >= 3 ? sentences.slice(end).join(languageData[language].space) : "";
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
  const isBooked = clear.some(({ best: { row } }) => row.form && row.bookable);
  for (const { reading, best } of clear) {
    // What is to be mended is said in the form.
    if (!isAbout(best.row) || (isBooked && best.intent === "workshop-can-you")) continue;
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

/** The last wish, or one of its topic that suits this message as well as both together: what returns cost. */
function closerTo({ intent, row, reading: before }: Wish, reading: Reading, shop: Shop): Ranked {
  const last = { intent, row, confidence: 1 };
  const topic = topicOf(row);
  if (!row.help || row.by) return last;
  const near = (each: IntentRow) => (each.help && topicOf(each) === topic ? 1 : 0);
  const own = shop.intents
    .rank(reading, near)
    .slice(0, 5)
    .map((each) => each.intent);
  const places = shop.intents
    .rank(shop.read(`${before.text} ${reading.text}`, reading.language), near)
    .map((each, place) => ({ each, place: place + 1.1 * own.indexOf(each.intent) }))
    .filter(({ each }) => own.includes(each.intent));
  return places.sort((one, other) => one.place - other.place)[0]?.each ?? last;
}

/** Completes an intent from the dialogue. */
function complete({ intent, row }: Ranked, reading: Reading, dialogue: Dialogue, shop: Shop): Wish {
  const { last, shown } = dialogue;
  const query = productQueryOf(reading, shop);
  const isEmpty = isEmptyQuery(query);
  const isMeant = ({ product }: { product: { id: string } }) => product.id === query.ids?.[0];
  const about = (query.ids ? shop.catalogue.find(isMeant) : shown.length === 1 ? shown[0] : null) ?? null;
  const plain: Wish = { intent, row, reading, before: null, about, products: null };
  // "Can it be sent to me?" about helmets.
  const meant = about ? [about] : query.kinds ? [] : shown;
  if (intent === "delivery-of-a-bike" && meant.length > 0 && !meant.some(({ kinds }) => kinds.has("bike")))
    return { ...plain, ...certain("delivery-cost") };
  const again = last && { ...plain, ...closerTo(last, reading, shop), before: last.reading };
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
