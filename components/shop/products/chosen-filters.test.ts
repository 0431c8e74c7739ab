import { expect, test } from "vitest";
import { activeFilters, readFilters } from "./chosen-filters.ts";

test("parses the URL into a filter and drops unknown values", () => {
  const { filter, chosen } = readFilters({
    q: "light",
    category: "bikes",
    brand: "Nobody",
    colour: ["red", "blue"],
    stock: "1",
    sort: "__proto__",
  });
  expect(filter).toEqual({
    words: "light",
    category: "bikes",
    brand: undefined,
    colour: "red",
    inStock: true,
    onSale: false,
    sort: undefined,
  });
  expect(chosen).toMatchObject({ brand: "", sort: "", stock: true, sale: false });
});

test("removes each condition alone and does not count sorting as one", () => {
  const { chosen } = readFilters({ category: "bikes", stock: "1", sort: "name" });
  expect(activeFilters(chosen)).toEqual([
    { label: "Bikes", href: "/products?stock=1&sort=name" },
    { label: "In stock", href: "/products?category=bikes&sort=name" },
  ]);
  expect(activeFilters(readFilters({}).chosen)).toEqual([]);
});
