import { expect, test } from "vitest";
import { openShop } from "../knowledge/shop.ts";
import { fold } from "./fold.ts";
import type { Language } from "./languages.ts";

const shop = openShop("https://shop.example");

function goodsIn(text: string, language: Language): string[] {
  return shop.read(text, language).all("good");
}

test("folding ignores case, Arabic vowel marks, the kind of kana and of digits", () => {
  expect(fold("GRÖSSE")).toBe(fold("größe"));
  expect(fold("درّاجة")).toBe(fold("دراجة"));
  expect(fold("ヘルメット")).toBe(fold("へるめっと"));
  expect(fold("١٢٣")).toBe("123");
});

test("finds the same goods in five languages", () => {
  expect(goodsIn("Do you have helmets?", "en")).toEqual(["helmet"]);
  expect(goodsIn("Habt ihr Fahrradhelme?", "de")).toEqual(["helmet"]);
  expect(goodsIn("Avez-vous des casques ?", "fr")).toEqual(["helmet"]);
  expect(goodsIn("هل لديكم خوذات؟", "ar")).toEqual(["helmet"]);
  expect(goodsIn("ヘルメットはありますか", "ja")).toEqual(["helmet"]);
});

test("a word inside a longer name is not meant", () => {
  expect(goodsIn("a gift card", "en")).toEqual(["gift-card"]);
  expect(shop.read("to Northern Ireland", "en").all("place")).toEqual(["islands"]);
});

test("knows the weekdays of every language", () => {
  const days = (text: string, language: Language) => shop.read(text, language).all("day");
  expect(days("open on Sundays?", "en")).toEqual(["sun"]);
  expect(days("am Sonntag", "de")).toEqual(["sun"]);
  expect(days("le dimanche", "fr")).toEqual(["sun"]);
  expect(days("日曜日", "ja")).toEqual(["sun"]);
});

test("corrects misspelt names but leaves the shop's own words alone", () => {
  const reading = shop.read("do you sell the kestrl helmt by courier?", "en");
  expect(reading.all("name")).toEqual(["kestrel"]);
  expect(reading.all("good")).toEqual(["helmet"]);
  expect(reading.tokens.map(({ word }) => word)).toContain("courier");
});

test("swapped letters count as one error", () => {
  expect(shop.read("retrun it", "en").tokens.map(({ word }) => word)).toContain("return");
});

test("learns the language of a text; without evidence, keeps the expected one", () => {
  const { languageOf } = shop;
  expect(languageOf("Wo ist meine Bestellung?", "en")).toBe("de");
  expect(languageOf("où est ma commande", "en")).toBe("fr");
  expect(languageOf("أين طلبي", "en")).toBe("ar");
  expect(languageOf("注文はどこ", "en")).toBe("ja");
  expect(languageOf("Fell 2?", "de")).toBe("de");
  expect(languageOf("Fell 2", "ja")).toBe("ja");
  expect(languageOf("¿Dónde está mi pedido? Compré un casco", "en")).toBe("other");
});
