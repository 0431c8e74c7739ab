import { expect, test } from "vitest";
import { findOrder, ordersOf } from "./orders.ts";

test("finds an order by reference and e-mail, however they are typed", () => {
  expect(findOrder(" tt-100482 ", "Maya.Okafor@Example.com ")?.status).toBe("Out for delivery");
});

test("finds nothing for another customer's e-mail or an unknown reference", () => {
  expect(findOrder("TT-100482", "kenji.mori@example.com")).toBeUndefined();
  expect(findOrder("TT-000000", "maya.okafor@example.com")).toBeUndefined();
});

test("returns an order without its owner and e-mail", () => {
  const [order] = ordersOf("maya-okafor");
  expect(order).toMatchObject({ reference: "TT-100482" });
  expect(Object.keys(order ?? {})).not.toContain("owner");
  expect(Object.keys(order ?? {})).not.toContain("email");
});

test("finds no orders for an unknown customer ID", () => {
  expect(ordersOf("nobody")).toEqual([]);
});
