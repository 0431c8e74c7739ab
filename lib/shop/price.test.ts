import { expect, test } from "vitest";
import { discountPercent, formatAmount } from "./price.ts";

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
