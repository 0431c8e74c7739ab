/** The shop's content folder, read and checked (its layout: `README.md` in that folder). */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fieldTypes } from "#lib/chat-api/collection.ts";
import { Order } from "#lib/chat-api/order.ts";
import { Price } from "#lib/chat-api/product.ts";
import { type HelpPage, parseHelpPage } from "./help-page.ts";

const AttributeValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])),
]);

export const CatalogueProduct = z.object({
  id: z.string(),
  title: z.string(),
  brand: z.string().nullable(),
  category: z.string(),
  inStock: z.boolean().nullable(),
  clickAndCollectOnly: z.boolean(),
  price: Price.nullable(),
  market: z.string(),
  image: z.string().nullable(),
  path: z.string().nullable(),
  tags: z.array(z.string()),
  colours: z.array(z.string()),
  sizes: z.array(z.string()),
  stores: z.array(z.string()),
  summary: z.string(),
  description: z.array(z.string()),
  specs: z.array(z.object({ label: z.string(), value: z.string() })),
  attributes: z.record(z.string(), AttributeValue),
  i18n: z.record(z.string(), z.object({ title: z.string(), summary: z.string() })),
});
export type CatalogueProduct = z.infer<typeof CatalogueProduct>;

const Customer = z.object({ id: z.string(), name: z.string(), email: z.string() });
const OwnedOrder = Order.extend({ owner: z.string(), email: z.string() });
export type OwnedOrder = z.infer<typeof OwnedOrder>;

const Localised = z.record(z.string(), z.string());
export type Localised = z.infer<typeof Localised>;
export const ShopForm = z.object({
  collectionId: z.string(),
  title: Localised,
  purpose: Localised,
  canSkip: z.boolean(),
  canCancel: z.boolean(),
  pendingAction: z.string().nullable(),
  fields: z.array(
    z.object({
      id: z.string(),
      type: z.enum(fieldTypes),
      required: z.boolean(),
      label: Localised,
      description: Localised,
      choices: z.array(z.object({ id: z.string(), label: Localised })),
    }),
  ),
});
export type ShopForm = z.infer<typeof ShopForm>;

const Opening = z.tuple([z.string(), z.string()]).nullable();
const Week = z.object({
  mon: Opening,
  tue: Opening,
  wed: Opening,
  thu: Opening,
  fri: Opening,
  sat: Opening,
  sun: Opening,
});
export type Week = z.infer<typeof Week>;
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** A day of every year (`12-25`), or one that moves with Easter. */
const Closure = z.union([
  z.object({ date: z.string(), label: z.string() }),
  z.object({ rule: z.literal("good-friday"), label: z.string() }),
]);
const Stores = z.object({
  timeZone: z.string(),
  closures: z.array(Closure),
  earlyCloses: z.array(z.object({ date: z.string(), closes: z.string(), label: z.string() })),
  stores: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      phone: z.string().nullable(),
      email: z.string(),
      address: z.object({ street: z.string(), town: z.string(), postcode: z.string() }),
      hours: Week,
      workshop: z.object({ kind: z.string(), hours: Week.nullable() }),
    }),
  ),
});
export type Stores = z.infer<typeof Stores>;
export type Store = Stores["stores"][number];

export interface ShopData {
  products: readonly CatalogueProduct[];
  pages: readonly HelpPage[];
  customers: readonly z.infer<typeof Customer>[];
  orders: readonly OwnedOrder[];
  forms: readonly ShopForm[];
  stores: Stores;
  agentName: string;
}

/** Reads the folder. Rejects with the file's name when one is missing or not as described. */
export async function readShopData(shopDir: string): Promise<ShopData> {
  const [products, pages, book, forms, stores, team] = await Promise.all([
    readJson(join(shopDir, "products.json"), z.array(CatalogueProduct)),
    readPages(join(shopDir, "help")),
    readJson(
      join(shopDir, "orders.json"),
      z.object({ customers: z.array(Customer), orders: z.array(OwnedOrder) }),
    ),
    readJson(join(shopDir, "forms.json"), z.object({ forms: z.array(ShopForm) })),
    readJson(join(shopDir, "stores.json"), Stores),
    readJson(join(shopDir, "team.json"), z.object({ agent: z.object({ name: z.string() }) })),
  ]);
  return {
    products,
    pages,
    customers: book.customers,
    orders: book.orders,
    forms: forms.forms,
    stores,
    agentName: team.agent.name,
  };
}

async function readPages(folder: string): Promise<HelpPage[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return parseHelpPage(await readFile(path, "utf8"), path);
    }),
  );
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(JSON.parse(await readFile(path, "utf8")));
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
