/** Checks the cards of a message against its citations, products and orders. */
import type { Locator } from "@playwright/test";
import type { Citation } from "#lib/chat-api/message.ts";
import type { Order, OrderItem } from "#lib/chat-api/order.ts";
import type { Price, Product } from "#lib/chat-api/product.ts";
import type { VariantCoverage } from "../../support/field-variants.ts";

/** Digits in the page's number format; symbols and spaces may differ. */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-GB", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...(Number.isInteger(amount) ? { minimumFractionDigits: 0 } : {}),
  });
  return format.format(amount);
}

export async function seeCitations(
  seen: VariantCoverage,
  row: Locator,
  citations: readonly Citation[],
): Promise<void> {
  const shown = await row
    .locator("details > ol > li")
    .evaluateAll((items) =>
      items.map((item) => ({ text: item.textContent ?? "", href: item.querySelector("a")?.href ?? null })),
    );
  citations.forEach((citation, index) => {
    const { text, href } = shown[index] ?? { text: "", href: null };
    seen.see("Citation.title", citation.title, text.includes(citation.title));
    seen.see("Citation.url", citation.url, href === citation.url);
    seen.see(
      "Citation.updatedAt",
      citation.updatedAt,
      text.includes("updated ") === (citation.updatedAt !== null),
    );
  });
}

export async function seeProducts(
  seen: VariantCoverage,
  row: Locator,
  products: readonly Product[],
): Promise<void> {
  const shown = await row
    .getByRole("list", { name: "Products" })
    .locator(":scope > li")
    .evaluateAll((cards) =>
      cards.map((card) => ({
        text: card.textContent ?? "",
        href: card.querySelector("a")?.href ?? null,
        picture: card.querySelector("img")?.src ?? null,
        was: card.querySelector("s")?.textContent ?? null,
        isSale: card.querySelector("[data-sale]")?.getAttribute("data-sale") === "true",
        hasPrice: card.querySelector("[data-sale]") !== null,
        chips: [...card.querySelectorAll("ul > li")].map((chip) => chip.textContent ?? ""),
        small: [...card.querySelectorAll("bdi")].map((part) => part.textContent ?? ""),
      })),
    );
  for (const [index, product] of products.entries()) {
    const card = shown[index];
    if (card === undefined) throw new Error(`No card for ${product.title}`);
    seen.see("Product.id", product.id, shown.length === products.length);
    seen.see("Product.title", product.title, card.text.includes(product.title));
    seen.see("Product.brand", product.brand, card.small.length === (product.brand === null ? 1 : 2));
    // The text replaces a picture that failed to load.
    if (product.imageUrl === null || card.picture !== null)
      seen.see("Product.imageUrl", product.imageUrl, card.picture === product.imageUrl);
    seen.see("Product.productUrl", product.productUrl, card.href === product.productUrl);
    const stock = ["In stock", "Sold out"].filter((text) => card.chips.includes(text));
    const known = product.inStock === null ? [] : [product.inStock ? "In stock" : "Sold out"];
    seen.see("Product.inStock", product.inStock, stock.join() === known.join());
    const collects = card.chips.some((chip) => chip.includes("Collect in a shop only"));
    seen.see(
      "Product.clickAndCollectOnly",
      product.clickAndCollectOnly,
      collects === product.clickAndCollectOnly,
    );
    seen.see("Product.price", product.price, card.hasPrice === (product.price !== null));
    if (product.price !== null) seePrice(seen, product.price, card);
  }
}

function seePrice(
  seen: VariantCoverage,
  { amount, currency, was, from }: Price,
  card: { text: string; was: string | null },
): void {
  seen.see("Price.amount", amount, card.text.includes(money(amount, currency)));
  seen.see("Price.currency", currency, card.text.includes(money(amount, currency)));
  seen.see(
    "Price.was",
    was,
    was === null ? card.was === null : (card.was ?? "").includes(money(was, currency)),
  );
  seen.see("Price.from", from, card.text.includes("from ") === from);
}

const kinds = { online: "Online order", workshop: "Workshop job", order: "Order" } as const;

export async function seeOrders(
  seen: VariantCoverage,
  row: Locator,
  orders: readonly Order[],
): Promise<void> {
  const shown = await row.locator("article[data-kind]").evaluateAll((cards) =>
    cards.map((card) => ({
      text: card.textContent ?? "",
      kind: card.querySelector("p")?.textContent ?? "",
      isComplete: card.getAttribute("data-complete") === "true",
      facts: Object.fromEntries(
        [...card.querySelectorAll("dl > div")].map((fact) => [
          fact.querySelector("dt")?.textContent ?? "",
          fact.querySelector("dd")?.textContent ?? "",
        ]),
      ),
      items: [...card.querySelectorAll("ul > li")].map((item) => ({
        text: item.textContent ?? "",
        arrived: item.querySelector("[data-arrived]")?.getAttribute("data-arrived") ?? null,
      })),
      phone: card.querySelector("a")?.getAttribute("href") ?? null,
    })),
  );
  for (const [index, order] of orders.entries()) {
    const card = shown[index];
    if (card === undefined) throw new Error(`No card for ${order.reference}`);
    seen.see("Order.reference", order.reference, card.text.includes(order.reference));
    seen.see("Order.kind", order.kind, card.kind === kinds[order.kind]);
    seen.see("Order.status", order.status, card.text.includes(order.status));
    seen.see("Order.complete", order.complete, card.isComplete === order.complete);
    seen.see("Order.placedLabel", order.placedLabel, (card.facts["Placed"] ?? null) === order.placedLabel);
    seen.see("Order.dueLabel", order.dueLabel, (card.facts["Due"] ?? null) === order.dueLabel);
    seen.see("Order.servicedItem", order.servicedItem, (card.facts["For"] ?? null) === order.servicedItem);
    seen.see("Order.items", order.items, card.items.length === order.items.length);
    order.items.forEach((item, at) => {
      seeItem(seen, item, card.items[at]);
    });
    seeStore(seen, order, card);
  }
}

function seeItem(
  seen: VariantCoverage,
  { description, quantity, arrived }: OrderItem,
  shown: { text: string; arrived: string | null } | undefined,
): void {
  seen.see("OrderItem.description", description, shown?.text.includes(description) === true);
  seen.see("OrderItem.quantity", quantity, shown?.text.startsWith(`${quantity} ×`) === true);
  seen.see("OrderItem.arrived", arrived, shown?.arrived === (arrived === null ? null : String(arrived)));
}

function seeStore(
  seen: VariantCoverage,
  { store }: Order,
  card: { text: string; phone: string | null },
): void {
  seen.see("Order.store", store, card.text.includes("At ") === (store !== null));
  if (store === null) return;
  seen.see("Order.store.name", store.name, card.text.includes(store.name));
  const link = store.phone === null ? null : `tel:${store.phone.replaceAll(" ", "")}`;
  seen.see("Order.store.phone", store.phone, card.phone === link);
}
