import type { Product } from "#lib/chat-api/product.ts";
import { productCard, type ShopProduct } from "#lib/shop/catalogue.ts";
import { fold } from "../language/fold.ts";
import { type Language, languages } from "../language/languages.ts";
import { addNames, findMentions } from "../language/lexicon.ts";
import { tokenise } from "../language/tokens.ts";

/** A product, prepared for search. */
export interface CatalogueItem {
  product: ShopProduct;
  /** The product as the Chat API shows it, with absolute URLs. */
  card: Product;
  /** The goods that the product is, by its category, its first tag and the last of its title. */
  kinds: ReadonlySet<string>;
  /** The goods that the rest of its title, its other tags, uses and materials name. */
  traits: ReadonlySet<string>;
  /** Stems of the product's title and tags. */
  words: ReadonlySet<string>;
  /** The key of its name, which other products can share ("fell"); undefined if it has none. */
  name: string | undefined;
}

export function createCatalogue(
  products: readonly ShopProduct[],
  shopOrigin: string,
  isWord: (word: string, language: Language) => boolean,
): CatalogueItem[] {
  const brands = new Set(
    products.flatMap(({ brand }) => tokenise(brand ?? "", "en").map(({ word }) => word)),
  );
  const names = products.map(({ title }) =>
    nameIn(title, "en", (word) => brands.has(word) || isWord(word, "en")),
  );
  for (const language of languages) {
    const own = new Map<string, string>();
    const titles = products.map(({ i18n }) => i18n[language]?.title ?? "");
    products.forEach((_, index) => {
      const name = names[index];
      if (name === undefined) return;
      own.set(name, name);
      const title = titles[index] ?? "";
      // A translated title keeps the name or writes it in another script, as a word of its own.
      const isOthers = (word: string) =>
        titles.some((other, place) => names[place] !== name && fold(other).includes(word));
      const written = fold(title).includes(name)
        ? undefined
        : tokenise(title, language).findLast(({ word }) => /^\p{L}{2,}$/u.test(word) && !isOthers(word));
      if (written !== undefined) own.set(written.word, name);
    });
    addNames(own, language);
  }
  return products.map((product, index) => {
    const [first = "", ...tags] = product.tags;
    const uses = product.attributes["use"];
    const materials = [product.attributes["frameMaterial"], product.attributes["material"]];
    return {
      product,
      card: productCard(product, shopOrigin),
      kinds: new Set([...goodsIn([product.category, first]), ...lastGood(product.title)]),
      traits: goodsIn(
        [product.title, ...tags, ...(Array.isArray(uses) ? uses : []), ...materials].map(String),
      ),
      words: new Set(
        [product.title, ...product.tags].flatMap((text) => tokenise(text, "en").map(({ stem }) => stem)),
      ),
      name: names[index],
    };
  });
}

function goodsIn(texts: readonly string[]): Set<string> {
  return new Set(
    texts.flatMap((text) =>
      findMentions(text, tokenise(text, "en"), "en")
        .filter(({ type, within }) => type === "good" && within === undefined)
        .map(({ key }) => key),
    ),
  );
}

/** What a title ends in: a "gravel bike" is a bike. */
function lastGood(title: string): string[] {
  const goods = findMentions(title, tokenise(title, "en"), "en").filter(({ type }) => type === "good");
  const [last] = goods.toSorted((one, other) => other.end - one.end || other.start - one.start);
  return last ? [last.key] : [];
}

/**
 * A title's words before the goods it names: "Kestrel helmet". A word of the shop's texts is no name alone.
 */
function nameIn(title: string, language: Language, isWord: (word: string) => boolean): string | undefined {
  const [, quoted] = /“(\p{L}+)”/u.exec(title) ?? [];
  if (quoted !== undefined) return fold(quoted);
  const tokens = tokenise(title, language);
  const mentions = findMentions(title, tokens, language).filter(({ type }) => type !== "name");
  const isNamed = (index: number) => mentions.some(({ start, end }) => start <= index && index < end);
  const first = tokens.findIndex(({ word }, index) => /^\p{L}{3,}/u.test(word) && !isNamed(index));
  const rest = tokens.slice(first);
  const end = rest.findIndex(({ word }, index) => isNamed(first + index) || /^\p{N}/u.test(word));
  const words = rest.slice(0, end < 0 ? rest.length : end).map(({ word }) => word);
  const [only = "", ...others] = words;
  if (first < 0 || words.length > 2 || (others.length === 0 && isWord(only))) return undefined;
  return words.every((word, index) => index > 0 || !isWord(word)) ? only : words.join(" ");
}
