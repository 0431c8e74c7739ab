import { createElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Message } from "../../../lib/chat-api/message.ts";
import { anOrder } from "../../../lib/chat-api/testing/builders.ts";
import { aProduct } from "../../../lib/engine/testing/builders.ts";
import { rendered, testChat } from "../testing/rendered.ts";
import { MessageCards } from "./message-parts.tsx";

beforeEach(() => {
  vi.stubGlobal("window", { location: { origin: "https://shop.example" } });
});

function cards(parts: Partial<Message>, pictureOrigins: readonly string[] | null = null): string {
  const chat = { ...testChat, shop: { ...testChat.shop, pictureOrigins } };
  return rendered(createElement(MessageCards, { message: parts }), chat);
}

const source = (url: string | null, updatedAt: string | null = null) => ({
  title: "Delivery",
  url,
  updatedAt,
});

test("links to web addresses only, in a new tab without opener and referrer", () => {
  const url = "https://shop.example/help";
  const linked = cards({ citations: [source(url)], products: [aProduct({ productUrl: url })] });
  expect(linked.match(/<a [^>]+>/g)).toHaveLength(2);
  for (const link of linked.match(/<a [^>]+>/g) ?? []) {
    expect(link).toContain(`href="${url}"`);
    expect(link).toContain('target="_blank" rel="noopener noreferrer nofollow" referrerPolicy="no-referrer"');
  }
  for (const address of ["javascript:alert(1)", "//evil.example", "https://shop.example@evil.example"]) {
    const html = cards({ citations: [source(address)], products: [aProduct({ productUrl: address })] });
    expect(html, address).not.toContain("<a ");
    expect(html, address).toContain("Delivery");
  }
});

test("loads pictures only over HTTPS and from allowed origins, without a referrer", () => {
  const products = [aProduct({ imageUrl: "https://images.example/helmet.jpg" })];
  expect(cards({ products })).toMatch(/<img [^>]*src="https:\/\/images.example\/helmet.jpg"/);
  expect(cards({ products })).toMatch(/<img [^>]*referrerPolicy="no-referrer"/);
  expect(cards({ products }, ["https://images.example"])).toContain("<img ");
  expect(cards({ products }, ["https://other.example"])).not.toContain("<img ");
  expect(cards({ products: [aProduct({ imageUrl: "http://images.example/helmet.jpg" })] })).not.toContain(
    "<img ",
  );
});

test("shows a former price only where it was higher, and no stock where it is unknown", () => {
  const html = (was: number | null, inStock: boolean | null) =>
    cards({ products: [aProduct({ price: { amount: 64, currency: "GBP", was, from: false }, inStock })] });
  expect(html(80, true)).toMatch(/<s>.*£80<\/s>/);
  expect(html(64, true)).not.toContain("<s>");
  expect(html(null, true)).toContain("In stock");
  expect(html(null, false)).toContain("Sold out");
  expect(html(null, null)).not.toMatch(/In stock|Sold out/);
});

test("warns of sources that are older than two years", () => {
  vi.useFakeTimers({ now: new Date("2026-06-02T10:00:00.000Z") });
  const isOld = (updatedAt: string) =>
    cards({ citations: [source(null, updatedAt)] }).includes('data-old="true"');
  expect([isOld("2024-06-01T10:00:00.000Z"), isOld("2024-06-03T10:00:00.000Z")]).toEqual([true, false]);
});

test("collapses more than two orders and shows whether each item has arrived", () => {
  const [one, two, three] = [anOrder(), anOrder(), anOrder()];
  expect(cards({ orders: [one, two] })).not.toContain("<details>");
  expect(cards({ orders: [one, two, three] }).match(/<details>/g)).toHaveLength(3);
  const items = [true, false, null].map((arrived) => ({ description: "Tube", quantity: 2, arrived }));
  const html = cards({ orders: [anOrder({ items })] });
  expect(html.match(/data-tone="good"/g)).toHaveLength(1);
  expect(html.split(testChat.t.orders.notArrived)).toHaveLength(2);
});

test("offers to call a store only with a telephone number", () => {
  const link = (phone: string) =>
    /href="(tel:[^"]*)"/.exec(cards({ orders: [anOrder({ store: { name: "Kendal", phone } })] }))?.[1];
  expect(link("+44 1539 555 010")).toBe("tel:+441539555010");
  expect(link("ask inside")).toBeUndefined();
});

test("shows an order's known steps alone, and no list without any", () => {
  const steps = (order: Parameters<typeof anOrder>[0]) =>
    cards({ orders: [anOrder({ placedLabel: null, dueLabel: null, items: [], ...order })] })
      .match(/<(?:ol|li)\b/g)
      ?.map((tag) => tag.slice(1));
  expect(steps({ status: "Packed", placedLabel: "Monday" })).toEqual(["ol", "li", "li"]);
  expect(steps({ status: "", placedLabel: "Monday" })).toEqual(["ol", "li"]);
  expect(steps({ status: " ", placedLabel: " " })).toBeUndefined();
});
