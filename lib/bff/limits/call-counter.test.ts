import { expect, test } from "vitest";
import { createCallCounter } from "./call-counter.ts";

test("counts a key's calls in windows that begin with its first call", () => {
  let now = 1_000;
  const counter = createCallCounter({ milliseconds: 60_000, clock: () => now });
  counter.add("one");
  now += 20_000;
  counter.add("one");
  expect([counter.calls("one"), counter.wait("one")]).toEqual([2, 40_000]);
  expect([counter.calls("other"), counter.wait("other")]).toEqual([0, 60_000]);
  now += 40_000;
  expect(counter.calls("one")).toBe(0);
  counter.add("one");
  expect([counter.calls("one"), counter.wait("one")]).toEqual([1, 60_000]);
});

test("gives a call back to the window that counted it, and to no later one", () => {
  let now = 0;
  const counter = createCallCounter({ milliseconds: 1_000, clock: () => now });
  const slow = counter.add("one");
  const takeAway = counter.add("one");
  takeAway();
  expect(counter.calls("one")).toBe(1);
  now += 1_000;
  counter.add("one");
  slow();
  expect(counter.calls("one")).toBe(1);
});

test("frees the counts of past windows", () => {
  let now = 0;
  const counter = createCallCounter({ milliseconds: 1_000, clock: () => now });
  // A window ends after a hundred further keys, so of the 10,000 keys only the latest hundred remain.
  for (let key = 0; key < 10_000; key += 1) {
    now += 10;
    counter.add(`key ${key}`);
  }
  expect(counter.size()).toBeLessThanOrEqual(101);
});

test("remembers only the latest hundred thousand keys", () => {
  const counter = createCallCounter({ milliseconds: 1_000, clock: () => 0 });
  for (let key = 0; key <= 100_000; key += 1) counter.add(`key ${key}`);
  expect(counter.size()).toBe(100_000);
  expect([counter.calls("key 0"), counter.calls("key 100000")]).toEqual([0, 1]);
});
