import { expect, test } from "vitest";
import { shownName } from "../text-parts.ts";
import { insertByPosition, isPicture } from "./attachments.ts";

test("keeps files in the order in which they were chosen", () => {
  const arrived = [3, 1, 4, 2].reduce<{ position: number }[]>(
    (items, position) => insertByPosition(items, { position }),
    [],
  );
  expect(arrived.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
});

test("does not move attachments that are out of order already", () => {
  const items = [{ position: 0 }, { position: 2 }, { position: 0 }];
  expect(insertByPosition(items, { position: 1 }).map(({ position }) => position)).toEqual([0, 1, 2, 0]);
  expect(insertByPosition(items, { position: 3 }).map(({ position }) => position)).toEqual([0, 2, 0, 3]);
});

test("keeps the order of arrival among files with the same position", () => {
  const [first, second] = [{ position: 1 }, { position: 1 }];
  expect(insertByPosition([first], second)).toEqual([first, second]);
  expect(insertByPosition([first], second)[1]).toBe(second);
});

test("removes bidi controls from file names and previews only allowed pictures", () => {
  expect(shownName("photo\u202egnp.exe\u0007", "Datei")).toBe("photognp.exe");
  expect([shownName("", "Datei"), shownName(" \u202e", "Datei")]).toEqual(["Datei", "Datei"]);
  expect(isPicture("image/png")).toBe(true);
  expect(isPicture("image/svg+xml")).toBe(false);
  expect(isPicture("application/pdf")).toBe(false);
});
