/**
 * Every variant of each field of the Chat API's resources: null and given, each enum value, true and false,
 * empty and filled lists, and the empty text where it is the default. The variants come from the contract, so
 * a new field adds variants that some journey has to show.
 */
import { expect } from "@playwright/test";
import { z } from "zod";
import { Chat, Handoff } from "#lib/chat-api/chat.ts";
import { Collection, CollectionRequest, CollectionValue, Field } from "#lib/chat-api/collection.ts";
import { File } from "#lib/chat-api/file.ts";
import { Citation, HandoffOffer, Message } from "#lib/chat-api/message.ts";
import { Order, OrderItem } from "#lib/chat-api/order.ts";
import { Price, Product } from "#lib/chat-api/product.ts";

const resources = {
  Message,
  HandoffOffer,
  Citation,
  Product,
  Price,
  Order,
  OrderItem,
  File,
  Collection,
  CollectionRequest,
  CollectionValue,
  Field,
  Chat,
  Handoff,
} as const;

type ResourceName = keyof typeof resources;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** JSON Schemas by resource. A nested resource is listed under its own name. */
const schemas: Readonly<Record<string, JsonSchema>> = (() => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(resources)) registry.add(schema, { id });
  return z.toJSONSchema(registry, { io: "output" }).schemas;
})();

/** Such as `Product.price: null` or `Order.kind: workshop`. */
function variantsOf(resource: ResourceName): string[] {
  const schema = schemas[resource];
  if (schema === undefined) throw new TypeError(`The contract has no ${resource}.`);
  return propertiesOf(resource, schema);
}

function propertiesOf(path: string, schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    typeof property === "boolean" ? [] : variantsAt(`${path}.${name}`, property),
  );
}

function variantsAt(path: string, schema: JsonSchema): string[] {
  const variants = (schema.anyOf ?? [schema]).flatMap((variant) => {
    const { type } = variant;
    return Array.isArray(type) ? type.map((one): JsonSchema => ({ ...variant, type: one })) : [variant];
  });
  return variants.flatMap((variant) => variantsOfSchema(path, variant));
}

function variantsOfSchema(path: string, schema: JsonSchema): string[] {
  if (schema.$ref !== undefined) return [`${path}: given`];
  if (schema.enum !== undefined) return schema.enum.map((word) => `${path}: ${word}`);
  switch (schema.type) {
    case "null":
      return [`${path}: null`];
    case "boolean":
      return [`${path}: true`, `${path}: false`];
    case "array":
      return [`${path}: none`, `${path}: some`, ...itemsOf(path, schema)];
    case "object":
      return [`${path}: given`, ...propertiesOf(path, schema)];
    case "string":
    case "number":
    case "integer":
      return schema.default === "" ? [`${path}: empty`, `${path}: given`] : [`${path}: given`];
    default:
      throw new TypeError(`${path} has a schema of an unknown kind: ${JSON.stringify(schema)}`);
  }
}

function itemsOf(path: string, { items }: JsonSchema): string[] {
  if (items === undefined || typeof items === "boolean" || Array.isArray(items)) return [];
  return items.type === "object" ? propertiesOf(`${path}[]`, items) : [];
}

/** Records which variants of some resources a journey has seen on screen. */
export class VariantCoverage {
  readonly #wanted: ReadonlySet<string>;
  readonly #seen = new Set<string>();

  constructor(...names: readonly ResourceName[]) {
    this.#wanted = new Set(names.flatMap(variantsOf));
  }

  /** Records the variant of a field's value. Fails when the screen does not show it. */
  see(path: string, value: unknown, isShown: boolean): void {
    const variant = `${path}: ${this.#variantOf(path, value)}`;
    expect(this.#wanted.has(variant), `${variant} is in the contract`).toBe(true);
    expect(isShown, `${variant} is on screen (${JSON.stringify(value)?.slice(0, 120)})`).toBe(true);
    this.#seen.add(variant);
  }

  /** `see` for several fields of a resource. `shown` is true for each field that the screen shows. */
  seeEach<T extends object>(
    path: string,
    resource: T,
    shown: { readonly [Name in keyof T]?: boolean },
  ): void {
    for (const name of Object.keys(shown) as (keyof T & string)[])
      this.see(`${path}.${name}`, resource[name], shown[name] === true);
  }

  #variantOf(path: string, value: unknown): string {
    if (value === undefined) throw new TypeError(`${path} is missing`);
    if (value === null) return "null";
    if (Array.isArray(value)) return value.length === 0 ? "none" : "some";
    if (typeof value === "boolean" || this.#wanted.has(`${path}: ${String(value)}`)) return String(value);
    return value === "" ? "empty" : "given";
  }

  /** Requires that exactly the variants of `notShown` were not seen. */
  expectAll(notShown: Readonly<Record<string, string>> = {}): void {
    const unseen = [...this.#wanted].filter((variant) => !this.#seen.has(variant));
    expect(unseen.sort()).toEqual(Object.keys(notShown).sort());
  }
}
