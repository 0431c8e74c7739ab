import { expect, test } from "vitest";
import { ordersOf } from "./orders.ts";

test("returns an order without its owner and email", () => {
  const [order] = ordersOf("maya-okafor");
  expect(order).toMatchObject({ reference: "TT-100482" });
  expect(Object.keys(order ?? {})).not.toContain("owner");
  expect(Object.keys(order ?? {})).not.toContain("email");
});

test("finds no orders for an unknown customer ID", () => {
  expect(ordersOf("nobody")).toEqual([]);
});
