import { findProducts, type ProductQuery } from "../knowledge/find-products.ts";
import { type Concept, conceptsOf, isConcept } from "../language/concept-lexicon.ts";
import type { Reading } from "../language/reading.ts";
import type { UnderstandingContext } from "./dialogue.ts";
import type { Act } from "./evidence.ts";
import { productQueryOf } from "./product-query.ts";
import type {
  HelpRequest,
  HoursRequest,
  OrdersRequest,
  ProductAspect,
  ProductRequest,
  ShopRequest,
} from "./requests.ts";
import { faintTopics } from "./topics.ts";

/** The request of a reading whose act is `act`. */
export function requestFor(act: Act, reading: Reading, context: UnderstandingContext): ShopRequest {
  switch (act) {
    case "person":
    case "upset":
    case "order-topic":
      return { act };
    case "return-form":
      return { act: "form", form: "return-request" };
    case "booking-form":
      return { act: "form", form: "workshop-booking" };
    case "feedback-form":
      return { act: "form", form: "feedback" };
    case "fitting-form":
      return { act: "form", form: "bike-fitting" };
    case "orders":
      return ordersRequest(reading, context);
    case "hours":
      return hoursRequest(reading);
    case "products":
      return productRequest(productQueryOf(reading, context.shop), reading, context);
    case "help":
      return helpRequest(reading, []);
  }
}

export function helpRequest(reading: Reading, carried: readonly Concept[]): HelpRequest {
  return { act: "help", question: reading.text, carried, extent: extentOf(reading, carried), reading };
}

function extentOf(reading: Reading, carried: readonly Concept[]): HelpRequest["extent"] {
  if (reading.has("everything") >= 0.8) return "everything";
  const topics = reading.mentions.filter(
    ({ concept }) => conceptsOf.shop.has(concept) || conceptsOf.workshop.has(concept),
  );
  const asksOne = (
    ["price", "how-long", "when", "where", "how", "why", "can-i", "what-if", "deadline", "mine"] as const
  ).some((concept) => reading.has(concept) > 0);
  const own = new Set(
    topics.map((mention) => mention.concept).filter((concept) => !faintTopics.has(concept)),
  );
  const things = reading.mentions.some(
    ({ concept, weight }) => weight >= 0.8 && conceptsOf.things.has(concept),
  );
  if (isPermission(reading, own) && !things && carried.every((concept) => conceptsOf.things.has(concept)))
    return "overview";
  const single = own.size === 1;
  const bare = reading.tokens.length <= 2 && reading.language !== "ja";
  return carried.length === 0 && single && !asksOne && (reading.has("about") > 0 || bare)
    ? "overview"
    : "fact";
}

/** Whether the text asks for permission to return, which the return policy answers: "can I return them?". */
function isPermission(reading: Reading, topics: ReadonlySet<Concept>): boolean {
  return (
    reading.has("can-i") >= 0.8 &&
    reading.has("shop") === 0 &&
    topics.size === 1 &&
    topics.has("return") &&
    reading.tokens.length <= 12
  );
}

/** Details that distinguish products, besides price, stock, colour and size. */
const details: ReadonlySet<Concept> = new Set<Concept>([
  "weight",
  "range",
  "lumens",
  "load",
  "volume",
  "material",
  "gears",
  "brakes",
  "visor",
  "valve",
  "rotation",
  "tyre-pressure",
  "charge",
  "battery",
  "measure",
]);

export function aspectsOf(reading: Reading, query: ProductQuery): Set<ProductAspect> {
  const aspects = new Set<ProductAspect>();
  if (reading.has("price") || reading.has("too-dear")) aspects.add("price");
  if (reading.has("stock")) aspects.add("stock");
  if (reading.has("colour") || query.colours) aspects.add("colour");
  if (reading.has("size") || query.sizes) aspects.add("size");
  if (query.store) aspects.add("store");
  if (reading.mentions.some(({ concept, weight }) => weight >= 0.4 && details.has(concept)))
    aspects.add("detail");
  return aspects;
}

export function productRequest(
  wanted: ProductQuery,
  reading: Reading,
  context: UnderstandingContext,
): ProductRequest {
  // If the text names products, its kinds and traits are not criteria.
  const { kinds: _kinds, words: _words, traits: _traits, ...named } = wanted;
  const query: ProductQuery = wanted.ids ? named : wanted;
  const aspects = aspectsOf(reading, query);
  const request: ProductRequest = {
    act: "products",
    mode: "list",
    query,
    aspects,
    except: new Set(),
    reading,
  };
  if (reading.has("compare") >= 0.8 && (query.ids === undefined || query.ids.length !== 1))
    return { ...request, mode: "compare" };
  if (query.ids && query.ids.length > 1 && query.sort) return { ...request, mode: "compare" };
  if (query.ids) return { ...request, mode: "facts" };
  if (isSuperlative(reading)) return bestOf(request, context);
  const detailed = aspects.has("detail") || (aspects.has("price") && query.kinds !== undefined);
  return detailed && query.sort === undefined ? { ...request, mode: "facts" } : request;
}

export function isSuperlative(reading: Reading): boolean {
  return (["cheapest", "dearest", "lightest", "brightest"] as const).some(
    (concept) => reading.has(concept) > 0,
  );
}

/** Narrows the request to the facts of the first product that matches. */
export function bestOf(request: ProductRequest, { shop }: UnderstandingContext): ProductRequest {
  const first = findProducts(shop.catalogue, request.query).items[0];
  if (!first) return request;
  const aspects = new Set(request.aspects);
  if (request.query.sort === "lightest") aspects.add("detail");
  return { ...request, mode: "facts", query: { ids: [first.product.id] }, aspects };
}

const weekdayConcepts = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

export function hoursRequest(reading: Reading): HoursRequest {
  const stores = (["kelderby", "brackwater", "ostle-quay"] as const).filter((id) => reading.has(id) > 0);
  const weekday = weekdayConcepts.findIndex((day) => reading.has(day) > 0);
  const moment = (["tomorrow", "now", "today"] as const).find((each) => reading.has(each) > 0);
  // A question that mentions neither opening nor a time is about the shop's address.
  const wantsContact = !reading.has("open") && !reading.has("closed") && weekday < 0 && moment === undefined;
  return {
    act: "hours",
    stores,
    wants: wantsContact ? "contact" : "hours",
    ...(weekday >= 0 ? { weekday } : {}),
    ...(moment && weekday < 0 ? { moment } : {}),
  };
}

const referencePattern = /\b(TT|W|C|X)[\s-]?(\d{3,6})\b/giu;

/** Order references in a text, in the shop's own form ("TT-100482"). */
export function referencesIn(text: string): string[] {
  const references = Array.from(
    text.matchAll(referencePattern),
    (match) => `${match[1]?.toUpperCase()}-${match[2]}`,
  );
  return [...new Set(references)];
}

function ordersRequest(reading: Reading, { shop }: UnderstandingContext): OrdersRequest {
  const kinds = (productQueryOf(reading, shop).kinds ?? []).filter(isConcept);
  return {
    act: "orders",
    references: referencesIn(reading.text),
    kinds: kinds.filter((kind) => kind !== "bike" && kind !== "part"),
    workshop: (["repair", "service", "workshop", "ready"] as const).some(
      (concept) => reading.has(concept) >= 0.8,
    ),
    all: reading.has("everything") > 0 || (reading.has("have") > 0 && reading.has("order") > 0),
  };
}
