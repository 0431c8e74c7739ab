import { expect, test } from "vitest";
import { catalogue, findProduct, productsIn, relatedProducts } from "./catalogue.ts";

test("lists the whole catalogue without reordering it, featured products first", () => {
  const before = catalogue.map(({ id }) => id);
  const found = productsIn(undefined);
  expect(found).toHaveLength(catalogue.length);
  expect(found[0]?.featured).toBe(true);
  expect(found.at(-1)?.featured).toBe(false);
  expect(catalogue.map(({ id }) => id)).toEqual(before);
});

test("lists the products of one category", () => {
  expect(
    productsIn("helmets")
      .map(({ slug }) => slug)
      .sort(),
  ).toEqual(["hobby-helmet", "kestrel-helmet", "merlin-helmet"]);
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
