import { expect, test } from "vitest";
import { ordersOf } from "./orders.ts";

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
