import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../testing/unit/cases.ts";
import { newUserIdPattern } from "../../chat-api/patterns.ts";
import { userIdOfCustomer } from "./customer.ts";

test("keeps IDs that the Chat API accepts and encodes all others", () => {
  expect(userIdOfCustomer("maya-okafor")).toBe("cust.maya-okafor");
  expect(userIdOfCustomer("usr_01HZX:7")).toBe("cust.usr_01HZX:7");
  // Too short, or with characters that a user ID cannot have.
  expect(userIdOfCustomer("42")).toBe("cust64.NDI");
  expect(userIdOfCustomer("a@b.c")).toBe("cust64.YUBiLmM");
  expect(userIdOfCustomer("山田")).toBe("cust64.5bGx55Sw");
  expect(userIdOfCustomer("x".repeat(123))).toBe(`cust.${"x".repeat(123)}`);
  expect(userIdOfCustomer("x".repeat(124))).toMatch(/^cust256\.[\w-]{43}$/);
  expect(userIdOfCustomer("\ud800")).toMatch(/^cust256\./);
});

test("derives a different, valid user ID from each ID", () => {
  const hostile = fc.constantFrom(
    "cust.",
    "cust64.",
    "cust256.",
    "NDI",
    "42",
    "64.NDI",
    "\ud800",
    "\udfff",
    "\ufffd",
  );
  const id = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 140 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.array(hostile, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
    // The result of encoding another ID.
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map(userIdOfCustomer),
  );
  fc.assert(
    fc.property(id, id, (one, other) => {
      expect(userIdOfCustomer(one)).toMatch(newUserIdPattern);
      expect(userIdOfCustomer(one)).toContain(".");
      expect(userIdOfCustomer(one) === userIdOfCustomer(other)).toBe(one === other);
    }),
    { seed: 20_261_122, numRuns: cases(3_000) },
  );
});
