import { expect, test } from "vitest";
import { brands, catalogue, colours, filterProducts, findProduct, relatedProducts } from "./catalogue.ts";

const slugs = (filter: Parameters<typeof filterProducts>[0]) =>
  filterProducts(filter).map(({ slug }) => slug);

test("shows everything for an empty filter, featured products first", () => {
  const found = filterProducts({});
  expect(found).toHaveLength(catalogue.length);
  expect(found[0]?.featured).toBe(true);
  expect(found.at(-1)?.featured).toBe(false);
});

test("does not reorder the catalogue when it sorts the found products", () => {
  const before = catalogue.map(({ id }) => id);
  filterProducts({ sort: "price-down" });
  expect(catalogue.map(({ id }) => id)).toEqual(before);
});

test("filters products by several conditions at once", () => {
  expect(slugs({ category: "helmets", inStock: true })).toEqual(["kestrel-helmet"]);
  expect(slugs({ brand: "Skerry", category: "clothing", onSale: true })).toEqual(["squall-rain-shell"]);
  expect(slugs({ category: "bikes", colour: "red" })).toEqual(["fell-2-gravel-bike", "pip-20-kids-bike"]);
});

test("finds words by their beginnings, in any order and language", () => {
  expect(slugs({ words: "rain squ" })).toEqual(["squall-rain-shell", "squall-rain-shell-eu"]);
  expect(slugs({ words: "Lastenrad" })).toEqual(["mule-cargo-bike"]);
  expect(slugs({ words: "خوذة" })).toHaveLength(3);
  expect(slugs({ words: "zebra" })).toEqual([]);
});

test("sorts prices of several currencies, with missing prices last both ways", () => {
  const rising = filterProducts({ sort: "price-up" });
  expect(rising[0]?.slug).toBe("sticker-pack");
  expect(rising.at(-1)?.price).toBeNull();
  expect(slugs({ sort: "price-up", category: "lights" })).toEqual(["wick-300-light-set", "wick-900-lamp"]);
  const falling = filterProducts({ sort: "price-down" });
  expect(falling[0]?.slug).toBe("mule-cargo-bike");
  expect(falling.at(-1)?.price).toBeNull();
});

test("finds a product by its slug only if it has a page", () => {
  expect(findProduct("fell-2-gravel-bike")?.id).toBe("tt-1001");
  expect(findProduct("workshop-gold-service")).toBeUndefined();
  expect(findProduct("__proto__")).toBeUndefined();
});

test("relates other products that have a page, the closest first", () => {
  const merlin = findProduct("merlin-helmet");
  if (merlin === undefined) throw new Error("the catalogue has no Merlin");
  const related = relatedProducts(merlin, 3);
  expect(related.slice(0, 2).map(({ category }) => category)).toEqual(["helmets", "helmets"]);
  expect(related.some(({ id, path }) => id === merlin.id || path === null)).toBe(false);
});

test("lists each brand and colour once", () => {
  expect(brands()).toEqual([...new Set(brands())].sort());
  expect(brands()).toContain("Corrie");
  expect(colours()).toHaveLength(new Set(colours()).size);
});
