import { expect, test } from "vitest";
import { aMessage } from "../testing/builders.ts";
import { findInText, findMessages } from "./search.ts";

const found = (text: string, query: string) =>
  findInText(text, query).map(({ start, end }) => text.slice(start, end));

test("ignores case, accents and width", () => {
  expect(found("Zoë fuhr nach ZÜRICH", "zoe")).toEqual(["Zoë"]);
  expect(found("Zoë fuhr nach ZÜRICH", "zürich")).toEqual(["ZÜRICH"]);
  expect(found("ﾍﾙﾒｯﾄ", "ヘルメット")).toEqual(["ﾍﾙﾒｯﾄ"]);
  expect(found("Die Straße, DIE STRASSE", "strasse")).toEqual(["Straße", "STRASSE"]);
  expect(found("Die Strasse", "Straße")).toEqual(["Strasse"]);
  expect(found("ὁ λόγος", "ΛΌΓΟΣ")).toEqual(["λόγος"]);
  expect(found("Nice 🚲!", "nice 🚲")).toEqual(["Nice 🚲"]);
});

test("finds every match at its position in the original text", () => {
  expect(findInText("🚲 bike, Bike", "bike")).toEqual([
    { start: 3, end: 7 },
    { start: 9, end: 13 },
  ]);
});

test("a blank query finds nothing, and special characters match literally", () => {
  expect(findInText("a.c", " ")).toEqual([]);
  expect(found("a.c abc", "a.c")).toEqual(["a.c"]);
});

test("lists the newest message first", () => {
  const messages = [
    aMessage({ text: "helmet one" }),
    aMessage({ text: "bike" }),
    aMessage({ text: "Helmet two" }),
  ];
  expect(findMessages([aMessage({ text: "Lange Straße 3" })], "strasse")).toHaveLength(1);
  expect(findMessages(messages, "helmet").map(({ text }) => text)).toEqual(["Helmet two", "helmet one"]);
});
