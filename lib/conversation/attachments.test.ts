import { expect, test } from "vitest";
import { isPicture, putInPlace, shownName } from "./attachments.ts";

test("keeps files in the order in which they were chosen", () => {
  const arrived = [3, 1, 4, 2].reduce<{ place: number }[]>(
    (items, place) => putInPlace(items, { place }),
    [],
  );
  expect(arrived.map(({ place }) => place)).toEqual([1, 2, 3, 4]);
});

test("leaves attachments from elsewhere in place", () => {
  const items = [{ place: 0 }, { place: 2 }, { place: 0 }];
  expect(putInPlace(items, { place: 1 }).map(({ place }) => place)).toEqual([0, 1, 2, 0]);
  expect(putInPlace(items, { place: 3 }).map(({ place }) => place)).toEqual([0, 2, 0, 3]);
});

test("keeps the order of arrival among files with the same position", () => {
  const [first, second] = [{ place: 1 }, { place: 1 }];
  expect(putInPlace([first], second)).toEqual([first, second]);
  expect(putInPlace([first], second)[1]).toBe(second);
});

test("removes bidi controls from file names and previews only allowed pictures", () => {
  expect(shownName("photo\u202egnp.exe\u0007", "Datei")).toBe("photognp.exe");
  expect([shownName("", "Datei"), shownName(" \u202e", "Datei")]).toEqual(["Datei", "Datei"]);
  expect(isPicture("image/png")).toBe(true);
  expect(isPicture("image/svg+xml")).toBe(false);
  expect(isPicture("application/pdf")).toBe(false);
});
