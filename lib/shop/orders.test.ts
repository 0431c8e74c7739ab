import { expect, test } from "vitest";
import { findOrder, ordersOf } from "./orders.ts";

test("an order is found by its reference and its own e-mail address, however they are typed", () => {
  expect(findOrder(" tt-100482 ", "Maya.Okafor@Example.com ")?.status).toBe("Out for delivery");
});

test("a foreign address finds the same as an unknown reference: nothing", () => {
  expect(findOrder("TT-100482", "kenji.mori@example.com")).toBeUndefined();
  expect(findOrder("TT-000000", "maya.okafor@example.com")).toBeUndefined();
});

test("an order leaves without its owner and e-mail address", () => {
  const [order] = ordersOf("maya-okafor");
  expect(order).toMatchObject({ reference: "TT-100482" });
  expect(Object.keys(order ?? {})).not.toContain("owner");
  expect(Object.keys(order ?? {})).not.toContain("email");
});

test("nobody has no orders", () => {
  expect(ordersOf("nobody")).toEqual([]);
});
