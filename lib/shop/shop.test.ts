/** The catalogue, its prices, orders and stores. */
import { expect, test } from "vitest";
import { catalogue, findProduct, productsIn, relatedProducts } from "./catalogue.ts";
import { ordersOf } from "./orders.ts";
import { discountPercent, formatAmount } from "./price.ts";
import { goodFriday, hoursOn, localTime, type Store, stores } from "./stores.ts";

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

test("formats amounts with the decimals of their currency", () => {
  expect(formatAmount(1899, "GBP")).toBe("£1,899");
  expect(formatAmount(1234.5, "GBP")).toBe("£1,234.50");
  expect(formatAmount(0.99, "GBP")).toBe("£0.99");
  expect(formatAmount(0, "GBP")).toBe("£0");
  expect(formatAmount(139, "EUR")).toBe("€139");
  expect(formatAmount(12800, "JPY")).toBe("¥12,800");
  expect(formatAmount(24.5, "KWD")).toMatch(/^KWD\s24\.500$/);
});

test("shows a discount only for a reduced price", () => {
  const price = { currency: "GBP", from: false };
  expect(discountPercent({ ...price, amount: 120, was: 160 })).toBe(25);
  expect(discountPercent({ ...price, amount: 120, was: null })).toBeUndefined();
  expect(discountPercent({ ...price, amount: 120, was: 100 })).toBeUndefined();
});

test("returns an order without its owner and email", () => {
  const [order] = ordersOf("maya-okafor");
  expect(order).toMatchObject({ reference: "TT-100482" });
  expect(Object.keys(order ?? {})).not.toContain("owner");
  expect(Object.keys(order ?? {})).not.toContain("email");
});

test("dates orders from the day, in the shops' time zone", () => {
  const [parcel, repair] = ordersOf("maya-okafor", new Date("2026-12-31T23:30:00Z"));
  expect(parcel?.placedLabel).toBe("Wed 30 December");
  expect(repair?.dueLabel).toBe("Sat 9 January, when the bearings arrive");
});

test("finds no orders for an unknown customer ID", () => {
  expect(ordersOf("nobody")).toEqual([]);
});

function store(id: string): Store {
  const found = stores.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no store ${id}`);
  return found;
}

test("computes the date of Good Friday", () => {
  expect([2025, 2026, 2027, 2028, 2038].map(goodFriday)).toEqual([
    "2025-04-18",
    "2026-04-03",
    "2027-03-26",
    "2028-04-14",
    "2038-04-23",
  ]);
});

test("reads the date and the time of day in the shops' time zone", () => {
  // British summer time: 09:00 in Kelderby is 08:00 UTC.
  expect(localTime(new Date("2026-06-09T07:59:00Z"))).toEqual({ date: "2026-06-09", time: "08:59" });
  expect(localTime(new Date("2026-01-08T19:30:00Z"))).toEqual({ date: "2026-01-08", time: "19:30" });
});

test("closes shops on holidays and early on Christmas Eve", () => {
  expect(hoursOn(store("kelderby"), "2026-04-03")).toEqual({ hours: null, closure: "Good Friday" });
  expect(hoursOn(store("brackwater"), "2025-12-24")).toEqual({
    hours: ["09:30", "13:00"],
    closure: "Christmas Eve",
  });
});
