import { expect, test } from "vitest";
import { directionOfText } from "./form-card.tsx";

test("gives a form the direction of most of its letters", () => {
  expect(directionOfText(["لتجهيز الإرجاع", "البريد الإلكتروني", "TT-1"])).toBe("rtl");
  expect(directionOfText(["To prepare your return", "شارع", "Street"])).toBe("ltr");
  expect(directionOfText(["החזרה"])).toBe("rtl");
});

test("gives a form without letters the direction of its page", () => {
  expect(directionOfText(["", "42 %"])).toBeUndefined();
});
