import { expect, test } from "vitest";
import { orderTone } from "./order-tone.ts";

test.each([
  ["Delivered", true, "done"],
  ["Out for delivery", false, "open"],
  ["Waiting for parts", false, "open"],
  ["", true, "done"],
  ["Cancelled before packing", true, "halted"],
  ["Delayed until Friday", false, "halted"],
  ["Storniert", true, "halted"],
  ["Verspätet sich", false, "halted"],
  ["Commande annulée", true, "halted"],
  ["En retard", false, "halted"],
  ["تم إلغاء الطلب", true, "halted"],
  ["配送が遅れています", false, "halted"],
] as const)("“%s”, complete: %s, is %s", (status, complete, tone) => {
  expect(orderTone({ status, complete })).toBe(tone);
});
