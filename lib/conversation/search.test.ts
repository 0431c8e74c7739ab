import { expect, test } from "vitest";
import { findInText, findMessages } from "./search.ts";
import { aMessage } from "./testing/builders.ts";

const found = (text: string, query: string) =>
  findInText(text, query).map(({ start, end }) => text.slice(start, end));

test("case, accents and width make no difference", () => {
  expect(found("Zoë fuhr nach ZÜRICH", "zoe")).toEqual(["Zoë"]);
  expect(found("Zoë fuhr nach ZÜRICH", "zürich")).toEqual(["ZÜRICH"]);
  expect(found("ﾍﾙﾒｯﾄ", "ヘルメット")).toEqual(["ﾍﾙﾒｯﾄ"]);
});

test("every place is found, at its place in the original", () => {
  expect(findInText("🚲 bike, Bike", "bike")).toEqual([
    { start: 3, end: 7 },
    { start: 9, end: 13 },
  ]);
});

test("a blank query finds nothing, and special characters are only characters", () => {
  expect(findInText("a.c", " ")).toEqual([]);
  expect(found("a.c abc", "a.c")).toEqual(["a.c"]);
});

test("the newest message stands first", () => {
  const messages = [
    aMessage({ text: "helmet one" }),
    aMessage({ text: "bike" }),
    aMessage({ text: "Helmet two" }),
  ];
  expect(findMessages(messages, "helmet").map(({ text }) => text)).toEqual(["Helmet two", "helmet one"]);
});
