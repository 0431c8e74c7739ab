import fc from "fast-check";
import { expect, test } from "vitest";
import { aCollection, aMessage, aRequest } from "../testing/builders.ts";
import { mergeMessages, newMessages } from "./messages.ts";

const [a, b, c, d] = [aMessage(), aMessage(), aMessage(), aMessage()];

test("returns the same list for a page without news", () => {
  const current = [a, b];
  expect(mergeMessages(current, [{ ...b }], "newest")).toBe(current);
});

test("inserts new messages after their known predecessor", () => {
  expect(mergeMessages([a, b], [b, c], "newest")).toEqual([a, b, c]);
  expect(mergeMessages([a, d], [a, b, c, d], "newest")).toEqual([a, b, c, d]);
});

test("prepends an older page with or without an overlap", () => {
  expect(mergeMessages([c, d], [a, b], "oldest")).toEqual([a, b, c, d]);
  expect(mergeMessages([c, d], [a, b, c], "oldest")).toEqual([a, b, c, d]);
});

test("replaces a changed message in place", () => {
  const changed = { ...a, text: "Changed" };
  expect(mergeMessages([a, b], [changed], "newest")).toEqual([changed, b]);
});

test("takes over the order in which the server keeps known messages", () => {
  expect(mergeMessages([a, c, b, d], [b, c], "newest")).toEqual([a, b, c, d]);
  expect(mergeMessages([b, c, a], [a, b, c, d], "newest")).toEqual([a, b, c, d]);
});

test("keeps an answered form on screen when its message loses it", () => {
  const request = aRequest();
  const asking = aMessage({ collection: aCollection({ request }) });
  const current = [a, asking];
  expect(mergeMessages(current, [{ ...asking, collection: null }], "newest")).toBe(current);
  expect(mergeMessages(current, [{ ...asking, collection: aCollection() }], "newest")).toBe(current);
  const changed = { ...asking, text: "Changed", collection: null };
  expect(mergeMessages(current, [changed], "newest")).toEqual([
    a,
    { ...changed, collection: asking.collection },
  ]);
});

test("reports unknown messages as news, except those of earlier pages", () => {
  const answered = { ...b, collection: null, text: "Filled in" };
  expect(newMessages([a, b], [a, answered, c], true)).toEqual([c]);
  expect(newMessages([a, b], [a, d, answered, c], true)).toEqual([d, c]);
  expect(newMessages([a, b], [a, answered], true)).toEqual([]);
  expect(newMessages([b], [a, b], true)).toEqual([]);
  expect(newMessages([b], [a, b], false)).toEqual([a]);
  expect(newMessages([], [a, b], true)).toEqual([a, b]);
});

test("adds a message once when a page repeats it", () => {
  expect(mergeMessages([], [a, a, b], "newest")).toEqual([a, b]);
});

test("rebuilds the list from any pages in either direction", () => {
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
