import { namedItems } from "../knowledge/catalogue.ts";
import { lengthsIn } from "../knowledge/help-query.ts";
import { coversTopics } from "../knowledge/product-details.ts";
import { conceptTerm } from "../knowledge/search-terms.ts";
import type { Shop } from "../knowledge/shop.ts";
import { type Concept, conceptsOf, isConcept } from "../language/concept-lexicon.ts";
import { functionWords } from "../language/function-words.ts";
import type { Reading } from "../language/reading.ts";
import { splitClauses } from "./clauses.ts";
import type { Dialogue, UnderstandingContext } from "./dialogue.ts";
import { type Evidence, type Signal, weighActs } from "./evidence.ts";
import { followUp } from "./follow-up.ts";
import { isEmptyQuery, productQueryOf } from "./product-query.ts";
import { helpRequest, productRequest, referencesIn, requestFor } from "./request-for.ts";
import {
  type HelpRequest,
  type ProductRequest,
  type ShopRequest,
  type TalkKind,
  talkKinds,
  type Understanding,
} from "./requests.ts";
import { topicWeight } from "./topics.ts";

export function understand(text: string, context: UnderstandingContext): Understanding {
  const { dialogue, shop } = context;
  const reading = shop.read(text, dialogue.language);
  const single = scoreRequest(reading, context);
  const requests = separateRequests(reading.text, single, context) ?? (single ? [single.request] : []);
  return {
    requests,
    talk: talkOf(reading, requests.length > 0),
    isUpset: evidenceOf(reading, shop).some(({ act, score }) => act === "upset" && score > 0),
    unknown: reading.unknown.map((token) => token.written),
  };
}

/** Small talk that is answered briefly beside a request. */
const openings: readonly TalkKind[] = ["greeting", "thanks"];
/** Maximum number of other words in a message that is small talk only. */
const besideTalk = 1;

/**
 * The kinds of small talk in a message. In a message without a request, most kinds count only if they are
 * nearly all of it: "the bank said no" is not a "no".
 */
function talkOf(reading: Reading, asks: boolean): TalkKind[] {
  const kinds = talkKinds.filter(
    (kind) => reading.has(kind) >= 0.8 && (!demonstrations.has(kind) || isWhole(kind, reading)),
  );
  if (asks) return kinds.filter((kind) => openings.includes(kind));
  const others = reading.tokens.filter((token, index) => {
    if (reading.language === "ja" || functionWords[reading.language].has(token.word)) return false;
    return !reading.mentions.some(
      ({ concept, start, end }) => conceptsOf.talk.has(concept) && start <= index && index < end,
    );
  });
  return others.length <= besideTalk ? kinds : kinds.filter((kind) => clear.has(kind));
}

/** Kinds that are recognised among other words. */
const clear: ReadonlySet<TalkKind> = new Set<TalkKind>(["insult", "who-are-you", "joke", "capabilities"]);

const demonstrations: ReadonlySet<TalkKind> = new Set<TalkKind>([
  "long-answer",
  "slow-answer",
  "think-minute",
  "ask-me",
  "say-nothing",
]);

/** Whether the kind's words are the whole text: a demonstration named within a sentence is not asked for. */
function isWhole(kind: TalkKind, { text, tokens, mentions, language }: Reading): boolean {
  const length = language === "ja" ? text.replace(/[\p{P}\s]+$/u, "").length : tokens.length;
  return mentions.some(({ concept, start, end }) => concept === kind && start === 0 && end >= length);
}

interface ScoredRequest {
  request: ShopRequest;
  score: number;
}

/** Minimum score of a part that counts as a request beside another. */
const ownRequest = 0.5;
const maxRequests = 3;
/** Maximum number of parts: a longer message is a list or a story, whose single parts mean little. */
const maxClauses = 20;

/** The requests of a message that asks for several things; null for a single one. */
function separateRequests(
  text: string,
  whole: ScoredRequest | null,
  context: UnderstandingContext,
): ShopRequest[] | null {
  for (const clauses of splitClauses(text, context.dialogue.language)) {
    if (clauses.length > maxClauses) continue;
    const found: ShopRequest[] = [];
    let { dialogue } = context;
    for (const clause of clauses) {
      const reading = context.shop.read(clause, dialogue.language);
      const scored = scoreRequest(reading, { ...context, dialogue });
      if (!scored || scored.score < ownRequest) continue;
      if (isGeneral(scored.request) && !asks(reading)) continue;
      if (!found.some((other) => isSame(other, scored.request, context.shop))) found.push(scored.request);
      dialogue = afterRequest(dialogue, scored.request, context.shop);
    }
    if (found.length > 1 && !isExplained(whole, found)) return found.slice(0, maxRequests);
  }
  return null;
}

/** The dialogue after one part, as context for the next: "is the Heron in stock, and do you deliver it?". */
function afterRequest(dialogue: Dialogue, request: ShopRequest, shop: Shop): Dialogue {
  const ids = request.act === "products" ? (request.query.ids ?? []) : [];
  const named = shop.catalogue.filter((item) => ids.includes(item.product.id));
  return { ...dialogue, last: request, shown: named.length > 0 ? named : dialogue.shown };
}

const asking = [
  "how",
  "when",
  "where",
  "what",
  "why",
  "can-i",
  "price",
  "how-long",
  "what-if",
  "have",
  "want",
  "recommend",
  "compare",
  "deadline",
  "stock",
] as const;

/** True for a question or a wish. Statements beside it only explain it. */
function asks(reading: Reading): boolean {
  return /[?？؟]\s*$/.test(reading.text) || asking.some((concept) => reading.has(concept) >= 0.8);
}

/**
 * True when the whole message asks for an action and its parts only give the reason ("refund please, it is
 * too small").
 */
function isExplained(whole: ScoredRequest | null, found: readonly ShopRequest[]): boolean {
  if (!whole || isGeneral(whole.request)) return false;
  return found.every(isGeneral);
}

function isGeneral(request: ShopRequest): boolean {
  return request.act === "help" || request.act === "products";
}

/** True when two requests have the same answer, or one only explains the other. */
function isSame(one: ShopRequest, other: ShopRequest, shop: Shop): boolean {
  if (one.act === "upset" || other.act === "upset" || other.act === "person") return true;
  if (one.act === "help" && other.act === "help") return bestPassage(one, shop) === bestPassage(other, shop);
  if (one.act === "products" && other.act === "products") {
    return one.mode === other.mode || !namesProducts(one) || !namesProducts(other);
  }
  return one.act === other.act;
}

function namesProducts({ query }: ProductRequest): boolean {
  return query.ids !== undefined || query.kinds !== undefined;
}

function bestPassage({ reading, carried }: HelpRequest, shop: Shop): string | undefined {
  return shop.ask(reading, carried)[0]?.passage.id;
}

/** The request of one reading; null when it has nothing to do with the shop. */
function scoreRequest(reading: Reading, context: UnderstandingContext): ScoredRequest | null {
  const evidence = evidenceOf(reading, context.shop);
  const best = evidence[0];
  const continued = followUp(reading, evidence, context);
  if (continued) return { request: continued, score: best?.score ?? 0 };
  if (asksForSize(reading, context)) return { request: { act: "size-question" }, score: 1 };
  if (!best || best.score <= 0)
    return asksOfPlace(reading) ? { request: helpRequest(reading, ["delivery"]), score: 1 } : null;
  const own = best.act === "help" ? answeredByProduct(reading, context) : null;
  if (own) return { request: own, score: best.score };
  const request = requestFor(best.act, reading, context);
  const isNothing = request.act === "products" && Object.keys(request.query).length === 0;
  return isNothing ? null : { request, score: best.score };
}

const evidences = new WeakMap<Reading, readonly Evidence[]>();

/** The evidence in a reading, cached as long as the shop's cache holds the reading. */
function evidenceOf(reading: Reading, shop: Shop): readonly Evidence[] {
  const known = evidences.get(reading);
  if (known) return known;
  const evidence = weighActs(reading, signalsOf(reading, shop));
  evidences.set(reading, evidence);
  return evidence;
}

/** Whether to ask what the size is for: "what size do I need?" may concern anything worn or ridden. */
function asksForSize(reading: Reading, { shop }: UnderstandingContext): boolean {
  const query = productQueryOf(reading, shop);
  const isOpen = isEmptyQuery(query) && reading.has("measure") === 0 && reading.has("exchange") === 0;
  return (
    isOpen && reading.has("size-advice") >= 0.8 && topicWeight(reading) < 1.5 && reading.tokens.length <= 8
  );
}

/**
 * True for a price or a duration with a place, which is about delivery: "how long does it take to Leeds?".
 */
function asksOfPlace(reading: Reading): boolean {
  const namesPlace = reading.mentions.some(
    ({ concept }) => conceptsOf.places.has(concept) && !shops.has(concept),
  );
  const asked = (["how-long", "price", "free"] as const).some((concept) => reading.has(concept) >= 0.8);
  return namesPlace && asked && reading.unknown.length === 0;
}

/**
 * A request for a named product whose own text covers the question ("can the Mule be delivered?"): it
 * outranks the help pages' general rules.
 */
function answeredByProduct(reading: Reading, context: UnderstandingContext): ShopRequest | null {
  const query = productQueryOf(reading, context.shop);
  const [id] = query.ids ?? [];
  const item = context.shop.catalogue.find((each) => each.product.id === id);
  if (!item || query.ids?.length !== 1 || !coversTopics(item, reading)) return null;
  const [best] = context.shop.ask(reading);
  const named = best?.passage.section.sentences.join(" ").toLowerCase() ?? "";
  if ([...item.names].some((name) => named.includes(name))) return null;
  return productRequest({ ids: query.ids }, reading, context);
}

const weekdayConcepts = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
  "weekend",
] as const;
/** Minimum share of the question that a passage must cover: others are about something else. */
const enoughCoverage = 0.35;

export function signalsOf(reading: Reading, shop: Shop): Map<Signal, number> {
  const query = productQueryOf(reading, shop);
  const words = reading.tokens.length;
  const found = shop.ask(reading).slice(0, 3);
  const coverage = Math.max(0, ...found.map((answer) => answer.coverage));
  // "I'm 1.80 m" asks for a size without the word.
  const measured = Number(lengthsIn(reading.text).length > 0);
  const filters = [query.colours, query.sizes, query.maxPrice, query.minPrice];
  return new Map<Signal, number>([
    ["named-product", Number(namedItems(reading.tokens, reading.mentions, shop.catalogue).length > 0)],
    ["product-kind", query.brand === undefined ? kindSignal(query.kinds, shop) : 1],
    ["product-trait", Number(query.traits !== undefined && !isEmptyQuery(query))],
    ["product-filter", Number(filters.some((filter) => filter !== undefined))],
    ["order-reference", Number(referencesIn(reading.text).length > 0)],
    ["store-name", Number(query.store !== undefined)],
    ["weekday", Number(weekdayConcepts.some((day) => reading.has(day) > 0))],
    ["question", Number(/[?？؟]\s*$/.test(reading.text))],
    ["short", words <= 3 ? 1 : words <= 5 ? 0.5 : 0],
    ["bare", Number(words <= 2)],
    ["help-topics", Math.min(2, topicWeight(reading) + measured)],
    [
      "help-coverage",
      coverage >= enoughCoverage ? coverage * Math.max(measured, weightOfSubject(reading)) : 0,
    ],
    ["body-length", measured],
    ["foreign-thing", Number(isForeign(reading, shop))],
    [
      "abroad",
      Number(
        reading.mentions.some(
          ({ concept }) => conceptsOf.places.has(concept) && concept !== "uk" && !shops.has(concept),
        ),
      ),
    ],
    ["unknown-share", reading.unknown.length / Math.max(1, contentWords(reading))],
  ]);
}

const shops: ReadonlySet<Concept> = new Set<Concept>(["kelderby", "brackwater", "ostle-quay"]);

/** Whether the text mentions things that neither catalogue nor help pages have ("can I rent skis"). */
function isForeign(reading: Reading, shop: Shop): boolean {
  const isKnown = (concept: Concept) =>
    shop.catalogue.some((item) => item.kinds.has(concept) || item.traits.has(concept));
  return reading.mentions.some(
    ({ concept, weight }) =>
      weight >= 0.8 &&
      conceptsOf.things.has(concept) &&
      !isKnown(concept) &&
      shop.help.rarity(conceptTerm(concept)) === 0,
  );
}

/** The strength of `product-kind`: half for kinds that the catalogue does not have. */
function kindSignal(kinds: readonly string[] | undefined, shop: Shop): number {
  if (kinds === undefined) return 0;
  return shop.catalogue.some((item) => kinds.some((kind) => isConcept(kind) && item.kinds.has(kind)))
    ? 1
    : 0.5;
}

/**
 * The weight of `help-coverage`: half for things without a topic, which are searched in the catalogue, and
 * none for a place alone ("Paris").
 */
function weightOfSubject(reading: Reading): number {
  const plain = reading.mentions.filter(({ weight }) => weight >= 0.8).map(({ concept }) => concept);
  if (plain.some((concept) => conceptsOf.shop.has(concept) || conceptsOf.workshop.has(concept))) return 1;
  return plain.some((concept) => conceptsOf.things.has(concept)) ? 0.5 : 0;
}

function contentWords({ tokens, language }: Reading): number {
  return tokens.filter((token) => !functionWords[language].has(token.word) && !/^\p{N}/u.test(token.word))
    .length;
}
