import { expect, test } from "vitest";
import { aCollection, aMessage, aRequest } from "../testing/builders.ts";
import { newMessages, renewed } from "./messages.ts";

const [a, b, c, d] = [aMessage(), aMessage(), aMessage(), aMessage()];

test("returns the same list for a page without news", () => {
  const current = [a, b];
  expect(renewed([a, { ...b }], current)).toBe(current);
  expect(renewed([a, { ...b, text: "Changed" }], current)[0]).toBe(a);
});

test("keeps an answered form on screen when its message loses it", () => {
  const request = aRequest();
  const asking = aMessage({ collection: aCollection({ request }) });
  const current = [a, asking];
  expect(renewed([a, { ...asking, collection: null }], current)).toBe(current);
  expect(renewed([a, { ...asking, collection: aCollection() }], current)).toBe(current);
  const changed = { ...asking, text: "Changed", collection: null };
  expect(renewed([a, changed], current)).toEqual([a, { ...changed, collection: asking.collection }]);
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
