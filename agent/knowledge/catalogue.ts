import type { Product } from "#lib/chat-api/product.ts";
import { productCard, type ShopProduct } from "#lib/shop/catalogue.ts";
import { type Concept, conceptsOf, findConcepts, type Mention } from "../language/concept-lexicon.ts";
import { functionWords } from "../language/function-words.ts";
import { type Token, tokenise } from "../language/tokens.ts";

/** A product, prepared for search. */
export interface CatalogueItem {
  product: ShopProduct;
  /** The product as the Chat API shows it, with absolute URLs. */
  card: Product;
  /** The product's own kinds, from its category and title. */
  kinds: ReadonlySet<Concept>;
  /** The product's other properties and uses, from its tags, uses, colours and attributes. */
  traits: ReadonlySet<Concept>;
  /** Stems of the product's title and tags. */
  words: ReadonlySet<string>;
  /** Folded words that identify the product on their own ("fell", "kestrel"). */
  names: ReadonlySet<string>;
}

const categoryKinds: Readonly<Record<string, Concept>> = {
  bikes: "bike",
  parts: "part",
  helmets: "helmet",
  clothing: "clothing",
  lights: "light",
  tools: "tool",
  luggage: "bag",
  camp: "camping",
  gifts: "gift",
  services: "service",
};

export function createCatalogue(products: readonly ShopProduct[], shopOrigin: string): CatalogueItem[] {
  return products.map((product) => ({
    product,
    card: productCard(product, shopOrigin),
    kinds: new Set([...kindsOfCategory(product), ...thingsIn([product.title])]),
    traits: traitsOf(product),
    names: namesOf(product),
    words: new Set(
      [product.title, ...product.tags].flatMap((text) => tokenise(text, "en").map((token) => token.stem)),
    ),
  }));
}

function kindsOfCategory(product: ShopProduct): Concept[] {
  const kind = categoryKinds[product.category];
  return kind ? [kind] : [];
}

/** Things, colours and qualities mentioned in the texts. */
function thingsIn(texts: readonly string[]): Concept[] {
  return texts.flatMap((text) =>
    findConcepts(text, tokenise(text, "en"), "en")
      .filter(({ concept, weight }) => weight >= 0.9 && isTrait(concept))
      .map(({ concept }) => concept),
  );
}

function isTrait(concept: Concept): boolean {
  return conceptsOf.things.has(concept) || conceptsOf.attributes.has(concept) || tradeTraits.has(concept);
}

/** Shop and workshop topics that can also be a product's trait. */
const tradeTraits: ReadonlySet<Concept> = new Set<Concept>([
  "gift",
  "gift-card",
  "service",
  "workshop",
  "gold",
  "battery",
  "wheel-building",
]);

function traitsOf(product: ShopProduct): Set<Concept> {
  const uses = product.attributes["use"];
  const texts = [...product.tags, ...(Array.isArray(uses) ? uses.map(String) : [])];
  const traits = new Set(thingsIn([...texts, ...product.colours]));
  // The tag "light" refers to weight, except for lamps.
  if (product.category !== "lights" && product.attributes["light"] !== true && traits.delete("light")) {
    traits.add("lightweight");
  }
  if (product.attributes["electric"] === true) traits.add("electric");
  if (product.attributes["waterproof"] === true) traits.add("waterproof");
  if (product.attributes["rotationLiner"] === true) traits.add("rotation");
  if (product.attributes["frameMaterial"] === "aluminium") traits.add("aluminium");
  return traits;
}

/**
 * A title begins with the product's name ("Kestrel helmet") unless its first word says what the thing is
 * ("Inner tube"). Arabic titles end with the name, written in Arabic letters; Japanese ones keep the Latin
 * name.
 */
function namesOf(product: ShopProduct): Set<string> {
  const tokens = tokenise(product.title, "en");
  const first = tokens[0];
  const explained = findConcepts(product.title, tokens, "en").some((mention) => mention.start === 0);
  if (!first || explained || functionWords.en.has(first.word) || /[^a-z]/.test(first.word)) return new Set();
  const arabic = product.i18n["ar"]?.title ?? "";
  const arabicTokens = tokenise(arabic, "ar");
  const mentions = findConcepts(arabic, arabicTokens, "ar");
  const arabicName = arabicTokens.findLast(
    (token, index) =>
      !/^\p{N}|^ال/u.test(token.word) &&
      !functionWords.ar.has(token.word) &&
      !mentions.some(({ start, end }) => start <= index && index < end),
  );
  return new Set(arabicName ? [first.word, arabicName.word] : [first.word]);
}

/** The products that a text names. A name inside a longer phrase does not count ("fell off"). */
export function namedItems(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  items: readonly CatalogueItem[],
): CatalogueItem[] {
  const words = new Set(
    tokens
      .filter(
        (_, index) => !mentions.some(({ start, end }) => end - start > 1 && start <= index && index < end),
      )
      .map((token) => token.word),
  );
  return items.filter((item) => [...item.names].some((name) => words.has(name)));
}
