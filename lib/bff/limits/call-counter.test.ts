import { expect, test } from "vitest";
import { createCallCounter } from "./call-counter.ts";

test("counts a key's calls in windows that begin with its first call", () => {
  let now = 1_000;
  const counter = createCallCounter({ calls: 2, milliseconds: 60_000, clock: () => now });
  expect([counter.count("one"), counter.count("one")]).toEqual([0, 0]);
  now += 20_000;
  expect(counter.count("one")).toBe(40_000);
  expect(counter.count("other")).toBe(0);
  now += 40_000;
  expect([counter.count("one"), counter.count("one"), counter.count("one")]).toEqual([0, 0, 60_000]);
});

test("admits a key again at the end of its window even if its caller kept calling", () => {
  let now = 0;
  const counter = createCallCounter({ calls: 1, milliseconds: 10_000, clock: () => now });
  expect(counter.count("one")).toBe(0);
  for (now = 1_000; now < 10_000; now += 1_000) expect(counter.count("one")).toBe(10_000 - now);
  expect(counter.count("one")).toBe(0);
});

test("frees the counts of past windows", () => {
  let now = 0;
  const counter = createCallCounter({ calls: 1, milliseconds: 1_000, clock: () => now });
  // A window ends after a hundred further keys, so of the 10,000 keys only the latest hundred remain.
  for (let key = 0; key < 10_000; key += 1) {
    now += 10;
    expect(counter.count(`key ${key}`)).toBe(0);
  }
  expect(counter.size()).toBeLessThanOrEqual(101);
});

test("remembers only the latest hundred thousand keys", () => {
  const counter = createCallCounter({ calls: 1, milliseconds: 1_000, clock: () => 0 });
  for (let key = 0; key <= 100_000; key += 1) counter.count(`key ${key}`);
  expect(counter.size()).toBe(100_000);
  expect([counter.count("key 0"), counter.count("key 100000")]).toEqual([0, 1_000]);
});
