/**
 * The catalogue's URL (`/products?category=bikes&stock=1`) as a filter, and back. Unknown values are dropped.
 */
import { brands, type CatalogueFilter, categories, colours, sortOrders } from "#lib/shop/catalogue.ts";
import type { ChosenFilters } from "./product-filters.tsx";

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

const maxWords = 80;

export function readFilters(params: SearchParams): { filter: CatalogueFilter; chosen: ChosenFilters } {
  const one = (name: string) => {
    const value = params[name];
    return (Array.isArray(value) ? value[0] : value) ?? "";
  };
  const filter: CatalogueFilter = {
    words: one("q").slice(0, maxWords),
    category: categories.find(({ id }) => id === one("category"))?.id,
    brand: brands().find((brand) => brand === one("brand")),
    colour: colours().find((colour) => colour === one("colour")),
    inStock: one("stock") === "1",
    onSale: one("sale") === "1",
    sort: sortOrders.find((order) => order === one("sort")),
  };
  const chosen: ChosenFilters = {
    q: filter.words ?? "",
    category: filter.category ?? "",
    brand: filter.brand ?? "",
    colour: filter.colour ?? "",
    stock: filter.inStock === true,
    sale: filter.onSale === true,
    sort: filter.sort ?? "",
  };
  return { filter, chosen };
}

/** One entry per condition, with the catalogue's URL without it. */
export function activeFilters(chosen: ChosenFilters): { label: string; href: string }[] {
  const labels: Record<string, string> = {
    q: `“${chosen.q}”`,
    category: categories.find(({ id }) => id === chosen.category)?.name ?? "",
    brand: chosen.brand,
    colour: chosen.colour,
    stock: "In stock",
    sale: "On sale",
  };
  const given = toParams(chosen);
  return [...given.keys()].flatMap((name) => {
    const label = labels[name];
    if (label === undefined) return [];
    const rest = new URLSearchParams([...given].filter(([other]) => other !== name));
    return [{ label, href: rest.size > 0 ? `/products?${rest}` : "/products" }];
  });
}

function toParams(chosen: ChosenFilters): URLSearchParams {
  const entries = Object.entries(chosen).map(([name, value]) => [name, value === true ? "1" : value || ""]);
  return new URLSearchParams(entries.filter(([, value]) => value !== ""));
}
