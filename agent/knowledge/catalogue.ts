import type { Product } from "#lib/chat-api/product.ts";
import { productCard, type ShopProduct } from "#lib/shop/catalogue.ts";
import { fold } from "../language/fold.ts";
import { byLanguage, type Language } from "../language/languages.ts";
import type { Read } from "../language/reading.ts";
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

export function hasTrait({ kinds, traits }: CatalogueItem, trait: string): boolean {
  return kinds.has(trait) || traits.has(trait);
}

/** The price in pounds; prices in other currencies are not compared with it. */
export function pounds({ product: { price } }: CatalogueItem): number | undefined {
  return price?.currency === "GBP" ? price.amount : undefined;
}

export function createCatalogue(
  products: readonly ShopProduct[],
  shopOrigin: string,
  names: readonly (string | undefined)[],
  read: Read,
): CatalogueItem[] {
  const goodsIn = (texts: readonly unknown[]) =>
    new Set(texts.flatMap((text) => read(String(text), "en").all("good")));
  return products.map((product, index) => {
    const [first = "", ...tags] = product.tags;
    const { use, frameMaterial, material } = product.attributes;
    return {
      product,
      card: productCard(product, shopOrigin),
      kinds: new Set([...goodsIn([product.category, first]), ...lastGood(product.title, read)]),
      traits: goodsIn([product.title, ...tags, ...(Array.isArray(use) ? use : []), frameMaterial, material]),
      words: new Set(
        [product.title, ...product.tags].flatMap((text) => tokenise(text, "en").map(({ stem }) => stem)),
      ),
      name: names[index],
    };
  });
}

/** What a title ends in: a "gravel bike" is a bike. */
function lastGood(title: string, read: Read): string[] {
  const goods = read(title, "en").mentions.filter(({ type }) => type === "good");
  const last = goods.toSorted((one, other) => other.end - one.end || other.start - one.start)[0];
  return last ? [last.key] : [];
}

/** The products' names, and how each language writes them. */
export function productNames(
  products: readonly ShopProduct[],
  read: Read,
  isWord: (word: string, language: Language) => boolean,
): {
  names: (string | undefined)[];
  written: Readonly<Record<Language, ReadonlyMap<string, string>>>;
} {
  const brands = new Set(
    products.flatMap(({ brand }) => tokenise(brand ?? "", "en").map(({ word }) => word)),
  );
  const names = products.map(({ title }) =>
    nameIn(title, read, (word) => brands.has(word) || isWord(word, "en")),
  );
  const written = byLanguage((language) => {
    const titles = products.map(({ i18n }) => i18n[language]?.title ?? "");
    const own = new Map<string, string>();
    names.forEach((name, index) => {
      if (name === undefined) return;
      own.set(name, name);
      // A translated title keeps the name or writes it in another script, as a word of its own.
      if (fold(titles[index] ?? "").includes(name)) return;
      const isOthers = (word: string) =>
        titles.some((other, place) => names[place] !== name && fold(other).includes(word));
      const found = tokenise(titles[index] ?? "", language).findLast(
        ({ word }) => /^\p{L}{2,}$/u.test(word) && !isOthers(word),
      );
      if (found) own.set(found.word, name);
    });
    return own;
  });
  return { names, written };
}

/**
 * A title's words before the goods it names: "Kestrel helmet". A word of the shop's texts is no name
 * alone.
 */
function nameIn(title: string, read: Read, isWord: (word: string) => boolean): string | undefined {
  const [, quoted] = /“(\p{L}+)”/u.exec(title) ?? [];
  if (quoted !== undefined) return fold(quoted);
  const { tokens, mentions } = read(title, "en");
  const isNamed = (index: number) => mentions.some(({ start, end }) => start <= index && index < end);
  const first = tokens.findIndex(({ word }, index) => /^\p{L}{3,}/u.test(word) && !isNamed(index));
  if (first < 0) return undefined;
  const rest = tokens.slice(first);
  const end = rest.findIndex(({ word }, index) => isNamed(first + index) || /^\p{N}/u.test(word));
  const words = rest.slice(0, end < 0 ? rest.length : end).map(({ word }) => word);
  const [only = "", ...others] = words;
  if (words.length > 2 || (others.length === 0 && isWord(only))) return undefined;
  return words.every((word, index) => index > 0 || !isWord(word)) ? only : words.join(" ");
}
