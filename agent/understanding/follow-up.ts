import type { CatalogueItem } from "../knowledge/catalogue.ts";
import type { ProductQuery } from "../knowledge/find-products.ts";
import { type Concept, conceptsOf, isConcept } from "../language/concept-lexicon.ts";
import type { Reading } from "../language/reading.ts";
import type { Dialogue, UnderstandingContext } from "./dialogue.ts";
import type { Act, Evidence } from "./evidence.ts";
import { productQueryOf } from "./product-query.ts";
import {
  aspectsOf,
  bestOf,
  helpRequest,
  hoursRequest,
  isSuperlative,
  productRequest,
} from "./request-for.ts";
import type { ProductRequest, ShopRequest } from "./requests.ts";
import { isVariant, topicWeight } from "./topics.ts";

/** Acts that mean the same in every context. */
const independent: ReadonlySet<Act> = new Set<Act>([
  "person",
  "upset",
  "orders",
  "order-topic",
  "return-form",
  "booking-form",
  "feedback-form",
  "fitting-form",
]);

/** The request of a message that omits what was said before ("and in red?"); null when it is complete. */
export function followUp(
  reading: Reading,
  evidence: readonly Evidence[],
  context: UnderstandingContext,
): ShopRequest | null {
  const { last } = context.dialogue;
  const best = evidence[0];
  if (!last) return null;
  if (best && best.score > 0 && independent.has(best.act)) return null;
  if (isBookingOfTopic(reading, last)) return { act: "form", form: "workshop-booking" };
  const query = productQueryOf(reading, context.shop);
  switch (last.act) {
    case "hours":
      return hoursFollowUp(reading, evidence, last);
    case "help":
      return (
        helpFollowUp(reading, query, evidence, context) ?? productFollowUp(reading, query, evidence, context)
      );
    default:
      return productFollowUp(reading, query, evidence, context);
  }
}

function isBookingOfTopic(reading: Reading, last: ShopRequest): boolean {
  if (last.act !== "help" || reading.has("book") < 0.8 || reading.tokens.length > 6) return false;
  return (["service", "repair", "workshop", "puncture", "bronze", "silver", "gold"] as const).some(
    (concept) => last.reading.has(concept) > 0,
  );
}

/** Whether the message refers back or is too short to be complete. */
function leansOnContext(reading: Reading): boolean {
  const words = reading.tokens.length;
  const opens = reading.mentions.some(({ concept, start }) => concept === "and-what-about" && start === 0);
  if (reading.language === "ja") return opens || reading.has("it-that") > 0 || words <= 6;
  return (opens && words <= 7) || reading.has("it-that") > 0 || words <= 4;
}

function hoursFollowUp(
  reading: Reading,
  evidence: readonly Evidence[],
  last: ShopRequest,
): ShopRequest | null {
  if (last.act !== "hours") return null;
  const asked = hoursRequest(reading);
  const names = asked.stores.length > 0 || asked.weekday !== undefined || asked.moment !== undefined;
  const other = evidence[0];
  if (!names || !leansOnContext(reading) || (other && other.score > 0.5 && other.act !== "hours"))
    return null;
  const { weekday, moment, ...kept } = last;
  const day = asked.weekday !== undefined || asked.moment !== undefined ? asked : { weekday, moment };
  return {
    ...kept,
    stores: asked.stores.length > 0 ? asked.stores : last.stores,
    ...(day.weekday === undefined ? {} : { weekday: day.weekday }),
    ...(day.moment === undefined ? {} : { moment: day.moment }),
  };
}

/**
 * A follow-up to a question for the help pages: "and to France?", "and silver?", "how long does it take?".
 */
function helpFollowUp(
  reading: Reading,
  query: ProductQuery,
  evidence: readonly Evidence[],
  { dialogue }: UnderstandingContext,
): ShopRequest | null {
  const { last } = dialogue;
  if (last?.act !== "help" || !leansOnContext(reading)) return null;
  const topics = topicsOf(last.reading);
  const own = topicsOf(reading).filter((topic) => !topics.includes(topic));
  const asksProducts =
    (evidence[0]?.act === "products" && reading.has("have") > 0) || query.ids !== undefined;
  const replaces = own.length > 0 && topicWeight(reading) >= 1 && !isVariant(own, topics);
  if (asksProducts) return null;
  // A new question about the same things: "and can I return them?".
  if (replaces) return reading.has("it-that") >= 0.8 ? helpRequest(reading, thingsOf(last.reading)) : null;
  const isAbout = reading.mentions.some(
    ({ concept }) =>
      !conceptsOf.talk.has(concept) || concept === "how-long" || concept === "when" || concept === "how",
  );
  if (!isAbout) return null;
  const namesPlace = reading.mentions.some(({ concept }) => conceptsOf.places.has(concept));
  const kept = [...topics, ...last.carried, ...(namesPlace ? [] : placesOf(last.reading))];
  return helpRequest(reading, [
    ...new Set(kept.filter((topic) => !own.some((other) => isVariant([other], [topic])))),
  ]);
}

function topicsOf(reading: Reading): Concept[] {
  const concepts = reading.mentions.filter(({ weight }) => weight >= 0.8).map(({ concept }) => concept);
  return [...new Set(concepts)].filter(
    (concept) => conceptsOf.shop.has(concept) || conceptsOf.workshop.has(concept),
  );
}

function thingsOf(reading: Reading): Concept[] {
  return reading.mentions.map(({ concept }) => concept).filter((concept) => conceptsOf.things.has(concept));
}

function placesOf(reading: Reading): Concept[] {
  return reading.mentions.map(({ concept }) => concept).filter((concept) => conceptsOf.places.has(concept));
}

/** A follow-up to products: "the cheaper one", "and in red?", "is it in stock?", "and returns for that?". */
function productFollowUp(
  reading: Reading,
  query: ProductQuery,
  evidence: readonly Evidence[],
  context: UnderstandingContext,
): ShopRequest | null {
  const { dialogue } = context;
  const focus = focusOf(reading, dialogue);
  const best = evidence[0];
  if (dialogue.shown.length === 0) return null;
  const ofShop = best?.act === "help" && best.score > 0 && topicWeight(reading) >= 0.9;
  if (ofShop) return leansOnContext(reading) ? helpRequest(reading, kindsOf(focus)) : null;
  if (best?.act === "hours" && best.score > 0) return null;
  if (query.ids) return sameQuestion(reading, query, context);
  const elsewhere =
    query.kinds !== undefined &&
    !query.kinds.some((kind) => isConcept(kind) && focus.some((item) => item.kinds.has(kind)));
  if (elsewhere) return reading.has("it-that") > 0 ? thoseWith(reading, query, focus) : null;
  if (wantsOthers(reading)) return othersLike(reading, query, context);
  return narrowed(reading, query, focus, context);
}

/** The products that the message can mean: the one at the position it names, two for "both", or all shown. */
function focusOf(reading: Reading, dialogue: Dialogue): readonly CatalogueItem[] {
  const { shown } = dialogue;
  const position = ordinalOf(reading, shown.length);
  const one = position === undefined ? undefined : shown[position];
  if (one) return [one];
  return reading.has("both") ? shown.slice(0, 2) : shown;
}

function ordinalOf(reading: Reading, count: number): number | undefined {
  if (reading.has("first-one")) return 0;
  if (reading.has("second-one")) return 1;
  return reading.has("last-one") ? count - 1 : undefined;
}

function kindsOf(items: readonly CatalogueItem[]): Concept[] {
  const [first, ...others] = items;
  if (!first) return [];
  const shared = [...first.kinds].filter((kind) => others.every((item) => item.kinds.has(kind)));
  return shared.filter((kind) => conceptsOf.things.has(kind));
}

/** "And the Merlin?" repeats the previous question for the Merlin. */
function sameQuestion(
  reading: Reading,
  query: ProductQuery,
  context: UnderstandingContext,
): ProductRequest | null {
  const { last } = context.dialogue;
  const own = aspectsOf(reading, query);
  if (last?.act !== "products" || own.size > 0 || !leansOnContext(reading)) return null;
  const request = productRequest(query, reading, context);
  return { ...request, aspects: last.aspects, reading: last.aspects.has("detail") ? last.reading : reading };
}

/** The shown products with a certain part: "which of them has a light?". */
function thoseWith(
  reading: Reading,
  query: ProductQuery,
  focus: readonly CatalogueItem[],
): ProductRequest | null {
  const wanted = (query.kinds ?? []).filter(isConcept);
  const having = focus.filter((item) => wanted.some((kind) => item.traits.has(kind)));
  if (having.length === 0) return null;
  const ids = having.map((item) => item.product.id);
  return {
    act: "products",
    mode: "facts",
    query: { ids },
    aspects: new Set(["detail"]),
    except: new Set(),
    reading,
  };
}

function wantsOthers(reading: Reading): boolean {
  return reading.has("more") >= 0.8 || (reading.has("recommend") >= 0.8 && reading.has("compare") === 0);
}

/** Further products of the last search; after products that were named, others of their kinds. */
function othersLike(
  reading: Reading,
  query: ProductQuery,
  { dialogue }: UnderstandingContext,
): ProductRequest {
  const { last, shown, seen } = dialogue;
  const before: ProductQuery =
    last?.act === "products" && last.query.ids === undefined ? last.query : { kinds: kindsOf(shown) };
  const except = new Set([...seen, ...shown.map((item) => item.product.id)]);
  return {
    act: "products",
    mode: "list",
    query: { ...before, ...query },
    aspects: new Set(),
    except,
    reading,
  };
}

/** The products shown before, with one more criterion or question. */
function narrowed(
  reading: Reading,
  query: ProductQuery,
  focus: readonly CatalogueItem[],
  context: UnderstandingContext,
): ShopRequest | null {
  const { last } = context.dialogue;
  const ids = focus.map((item) => item.product.id);
  const aspects = aspectsOf(reading, query);
  const pointed = reading.has("it-that") >= 0.8 || focus.length < context.dialogue.shown.length;
  const filters = Object.keys(query).length > 0;
  if (!filters && aspects.size === 0 && !pointed && !asksDetail(reading, context)) return null;
  if (!leansOnContext(reading) && query.kinds !== undefined) return null;
  const before: ProductQuery =
    last?.act === "products" && last.query.ids === undefined ? last.query : { ids };
  const isList = before.ids === undefined && focus.length > 1;
  if (query.sort && (focus.length > 1 || isList)) {
    const merged = { ...(isList ? before : { ids }), ...query };
    return bestOf(
      { act: "products", mode: "facts", query: merged, aspects, except: new Set(), reading },
      context,
    );
  }
  if (query.sort === "cheapest" && focus[0]?.card.price) {
    const wish: ProductQuery = {
      kinds: kindsOf(focus),
      maxPrice: query.maxPrice ?? focus[0].card.price.amount - 0.01,
    };
    return { act: "products", mode: "list", query: wish, aspects, except: new Set(ids), reading };
  }
  const narrows =
    query.colours ??
    query.sizes ??
    query.traits ??
    query.maxPrice ??
    query.minPrice ??
    query.store ??
    query.brand;
  if (narrows !== undefined && focus.length > 1) {
    const { sort: _sort, ...wishes } = query;
    const merged: ProductQuery = { ...(isList ? before : { ids }), ...wishes };
    const traits = [...new Set([...(isList ? (before.traits ?? []) : []), ...(query.traits ?? [])])];
    return {
      act: "products",
      mode: "list",
      query: traits.length > 0 ? { ...merged, traits } : merged,
      aspects: new Set(),
      except: new Set(),
      reading,
    };
  }
  const mode = reading.has("compare") >= 0.8 && focus.length > 1 ? "compare" : "facts";
  const { kinds: _kinds, words: _words, traits: _traits, sort: _order, ...rest } = query;
  return { act: "products", mode, query: { ...rest, ids }, aspects, except: new Set(), reading };
}

/**
 * Whether the message has a superlative, or "it" or "that" after a single product ("does it have a visor?").
 */
function asksDetail(reading: Reading, { dialogue }: UnderstandingContext): boolean {
  return isSuperlative(reading) || (dialogue.shown.length === 1 && reading.has("it-that") > 0);
}
