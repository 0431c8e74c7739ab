import type { Product } from "#lib/chat-api/message.ts";
import { productCard, type ShopProduct } from "#lib/shop/catalogue.ts";
import { fold } from "../language/fold.ts";
import type { Name } from "../language/lexicon.ts";
import type { Read } from "../language/reading.ts";
import { tokenise } from "../language/tokens.ts";

/** A product, prepared for search. */
export interface CatalogueItem {
  product: ShopProduct;
  /** The product as the Chat API shows it, with absolute URLs. */
  card: Product;
  /** The goods that the product is, by its category and its first tag. */
  kinds: ReadonlySet<string>;
  /** The goods that its title, its other tags, uses and materials name. */
  traits: ReadonlySet<string>;
  /** Stems of the product's title and tags. */
  words: ReadonlySet<string>;
  /** The key of its name, which other products can share ("fell"); empty if it has none. */
  name: string;
}

export function hasTrait({ kinds, traits }: CatalogueItem, trait: string): boolean {
  return kinds.has(trait) || traits.has(trait);
}

/** The price in pounds; prices in other currencies are not compared with it. */
export function poundsOf({ product: { price } }: CatalogueItem): number | undefined {
  return price?.currency === "GBP" ? price.amount : undefined;
}

export function createCatalogue(
  products: readonly ShopProduct[],
  shopOrigin: string,
  read: Read,
): CatalogueItem[] {
  const goodsIn = (texts: readonly unknown[]) =>
    new Set(texts.flatMap((text) => read(String(text), "en").all("good")));
  return products.map((product) => {
    const [first = "", ...tags] = product.tags;
    const { use, frameMaterial, material } = product.attributes;
    return {
      product,
      card: productCard(product, shopOrigin),
      kinds: goodsIn([product.category, first]),
      traits: goodsIn([product.title, ...tags, ...(Array.isArray(use) ? use : []), frameMaterial, material]),
      words: new Set(
        [product.title, ...product.tags].flatMap((text) => tokenise(text, "en").map(({ stem }) => stem)),
      ),
      name: keyOf(product.names),
    };
  });
}

/** The products' names and their makers', by which every language calls them. */
export function productNames(products: readonly ShopProduct[]): Name[] {
  return products.flatMap(({ names, brand }) => [
    ...names.map((text): Name => ({ type: "name", key: keyOf(names), text })),
    ...(brand === null ? [] : [{ type: "brand" as const, key: brand, text: brand }]),
  ]);
}

function keyOf([name = ""]: readonly string[]): string {
  return fold(name);
}
