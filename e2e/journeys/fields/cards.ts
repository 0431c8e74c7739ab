/** Checks the cards of a message against its citations, products and orders. */
import type { Locator } from "@playwright/test";
import type { Citation } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
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
    seen.seeEach("Citation", citation, {
      title: text.includes(citation.title),
      url: href === citation.url,
      updatedAt: text.includes("updated ") === (citation.updatedAt !== null),
    });
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
    const stock = ["In stock", "Sold out"].filter((text) => card.chips.includes(text));
    const known = product.inStock === null ? [] : [product.inStock ? "In stock" : "Sold out"];
    const collects = card.chips.some((chip) => chip.includes("Collect in a shop only"));
    seen.seeEach("Product", product, {
      id: shown.length === products.length,
      title: card.text.includes(product.title),
      brand: card.small.length === (product.brand === null ? 1 : 2),
      productUrl: card.href === product.productUrl,
      inStock: stock.join() === known.join(),
      clickAndCollectOnly: collects === product.clickAndCollectOnly,
      price: card.hasPrice === (product.price !== null),
      // The text replaces a picture that failed to load.
      ...(product.imageUrl === null || card.picture !== null
        ? { imageUrl: card.picture === product.imageUrl }
        : {}),
    });
    if (product.price !== null) seePrice(seen, product.price, card);
  }
}

function seePrice(
  seen: VariantCoverage,
  price: Price,
  { text, was }: { text: string; was: string | null },
): void {
  const isPriced = text.includes(money(price.amount, price.currency));
  seen.seeEach("Price", price, {
    amount: isPriced,
    currency: isPriced,
    was: price.was === null ? was === null : (was ?? "").includes(money(price.was, price.currency)),
    from: text.includes("from ") === price.from,
  });
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
    const factOf = (name: string) => card.facts[name] ?? null;
    seen.seeEach("Order", order, {
      reference: card.text.includes(order.reference),
      kind: card.kind === kinds[order.kind],
      status: card.text.includes(order.status),
      complete: card.isComplete === order.complete,
      placedLabel: factOf("Placed") === order.placedLabel,
      dueLabel: factOf("Due") === order.dueLabel,
      servicedItem: factOf("For") === order.servicedItem,
      items: card.items.length === order.items.length,
      store: card.text.includes("At ") === (order.store !== null),
    });
    order.items.forEach((item, at) => {
      const { text = "", arrived } = card.items[at] ?? {};
      seen.seeEach("OrderItem", item, {
        description: text.includes(item.description),
        quantity: text.startsWith(`${item.quantity} ×`),
        arrived: arrived === (item.arrived === null ? null : String(item.arrived)),
      });
    });
    if (order.store === null) continue;
    const { name, phone } = order.store;
    seen.seeEach("Order.store", order.store, {
      name: card.text.includes(name),
      phone: card.phone === (phone === null ? null : `tel:${phone.replaceAll(" ", "")}`),
    });
  }
}
