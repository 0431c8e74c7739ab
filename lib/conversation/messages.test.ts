import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeMessages, messagesSince } from "./messages.ts";
import { aMessage } from "./testing/builders.ts";

const [a, b, c, d] = [aMessage(), aMessage(), aMessage(), aMessage()];

test("a page without news gives the same list, and so draws nothing", () => {
  const current = [a, b];
  expect(mergeMessages(current, [{ ...b }], "newest")).toBe(current);
});

test("new messages follow the known one before them", () => {
  expect(mergeMessages([a, b], [b, c], "newest")).toEqual([a, b, c]);
  expect(mergeMessages([a, d], [a, b, c, d], "newest")).toEqual([a, b, c, d]);
});

test("an older page goes before, with or without an overlap", () => {
  expect(mergeMessages([c, d], [a, b], "oldest")).toEqual([a, b, c, d]);
  expect(mergeMessages([c, d], [a, b, c], "oldest")).toEqual([a, b, c, d]);
});

test("a message that changed takes its own place", () => {
  const changed = { ...a, text: "Changed" };
  expect(mergeMessages([a, b], [changed], "newest")).toEqual([changed, b]);
});

test("news is what follows the last known message, even where that one has changed or another stands before it", () => {
  const answered = { ...b, collection: null, text: "Filled in" };
  expect(messagesSince([a, b], [a, answered, c])).toEqual([c]);
  expect(messagesSince([a, b], [a, d, answered, c])).toEqual([c]);
  expect(messagesSince([a, b], [a, answered])).toEqual([]);
  expect(messagesSince([b], [a, b])).toEqual([]);
  expect(messagesSince([], [a, b])).toEqual([a, b]);
});

test("a page that repeats a message brings it once", () => {
  expect(mergeMessages([], [a, a, b], "newest")).toEqual([a, b]);
});

test("pages of any cut, read in any of the two directions, give the list back", () => {
  const list = Array.from({ length: 30 }, () => aMessage());
  const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 8 });
  const overlap = fc.nat({ max: 3 });
  fc.assert(
    fc.property(cuts, overlap, fc.boolean(), (at, shared, fromEnd) => {
      const bounds = [...new Set([0, ...at, list.length])].sort((x, y) => x - y);
      const pages = bounds
        .slice(1)
        .map((end, index) => list.slice(Math.max(0, (bounds[index] ?? 0) - shared), end));
      const inOrder = fromEnd ? pages.toReversed() : pages;
      const merged = inOrder.reduce(
        (known, page) => mergeMessages(known, page, fromEnd ? "oldest" : "newest"),
        [] as readonly (typeof a)[],
      );
      expect(merged).toEqual(list);
    }),
  );
});
