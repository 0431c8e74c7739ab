import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { catalogue } from "#lib/shop/catalogue.ts";
import { ProductCard } from "./product-card.tsx";

function card(title: string): string {
  const product = catalogue.find((each) => each.title === title);
  if (product === undefined) throw new Error(`The catalogue has no ${title}.`);
  return renderToStaticMarkup(createElement(ProductCard, { product }));
}

test("says that a product is free or priced on request instead of an amount", () => {
  expect(card("Sticker pack")).toContain(">Free<");
  expect(card("Workshop service “Gold”")).toContain(">Price on request<");
});

test("links a product only if it has a page", () => {
  expect(card("Sticker pack")).toContain('href="/products/sticker-pack"');
  expect(card("Workshop service “Gold”")).not.toContain("href=");
});
