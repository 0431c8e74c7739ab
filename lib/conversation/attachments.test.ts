import { expect, test } from "vitest";
import { putInPlace } from "./attachments.ts";

test("files that arrive in any order stand in the order in which they were chosen", () => {
  const arrived = [3, 1, 4, 2].reduce<{ place: number }[]>(
    (items, place) => putInPlace(items, { place }),
    [],
  );
  expect(arrived.map(({ place }) => place)).toEqual([1, 2, 3, 4]);
});

test("what was attached elsewhere stays where it is", () => {
  const items = [{ place: 0 }, { place: 2 }, { place: 0 }];
  expect(putInPlace(items, { place: 1 }).map(({ place }) => place)).toEqual([0, 1, 2, 0]);
  expect(putInPlace(items, { place: 3 }).map(({ place }) => place)).toEqual([0, 2, 0, 3]);
});
