/**
 * Every form that a field of the Chat API's resources can have: null and given, each word of a closed list, true and
 * false, an empty list and one that is not, a text that may be empty. Read from the contract, so that a new field is a
 * new form that some journey has to show.
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

export type ResourceName = keyof typeof resources;
export const resourceNames = Object.keys(resources) as ResourceName[];

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** By resource. A resource inside another one is a form of its own. */
const schemas: Readonly<Record<string, JsonSchema>> = (() => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(resources)) registry.add(schema, { id });
  return z.toJSONSchema(registry, { io: "output" }).schemas;
})();

/** Such as `Product.price: null` or `Order.kind: workshop`. */
export function formsOf(resource: ResourceName): string[] {
  const schema = schemas[resource];
  if (schema === undefined) throw new TypeError(`The contract has no ${resource}.`);
  return propertiesOf(resource, schema);
}

function propertiesOf(path: string, schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    typeof property === "boolean" ? [] : formsAt(`${path}.${name}`, property),
  );
}

function formsAt(path: string, schema: JsonSchema): string[] {
  const variants = (schema.anyOf ?? [schema]).flatMap((variant) => {
    const { type } = variant;
    return Array.isArray(type) ? type.map((one): JsonSchema => ({ ...variant, type: one })) : [variant];
  });
  return variants.flatMap((variant) => formsOfVariant(path, variant));
}

function formsOfVariant(path: string, schema: JsonSchema): string[] {
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
      throw new TypeError(`${path} has a form that is not known here: ${JSON.stringify(schema)}`);
  }
}

function itemsOf(path: string, { items }: JsonSchema): string[] {
  if (items === undefined || typeof items === "boolean" || Array.isArray(items)) return [];
  return items.type === "object" ? propertiesOf(`${path}[]`, items) : [];
}

/** What a journey has seen of some resources' forms. */
export class Sightings {
  readonly #wanted: ReadonlySet<string>;
  readonly #seen = new Set<string>();

  constructor(...names: readonly ResourceName[]) {
    this.#wanted = new Set(names.flatMap(formsOf));
  }

  /** The field had this value, and this is whether the screen says so: where it does not, the test ends here. */
  see(path: string, value: unknown, isShown: boolean): void {
    const form = `${path}: ${this.#formOf(path, value)}`;
    expect(this.#wanted.has(form), `${form} is a form of the contract`).toBe(true);
    expect(isShown, `${form} is on screen (${JSON.stringify(value)?.slice(0, 120)})`).toBe(true);
    this.#seen.add(form);
  }

  #formOf(path: string, value: unknown): string {
    if (value === undefined) throw new TypeError(`${path} is not there`);
    if (value === null) return "null";
    if (Array.isArray(value)) return value.length === 0 ? "none" : "some";
    if (typeof value === "boolean" || this.#wanted.has(`${path}: ${String(value)}`)) return String(value);
    return value === "" ? "empty" : "given";
  }

  /** Every form was seen, except those that no customer is shown; an exception that was seen is none. */
  expectAll(notShown: Readonly<Record<string, string>> = {}): void {
    const unseen = [...this.#wanted].filter((form) => !this.#seen.has(form));
    expect(unseen.sort()).toEqual(Object.keys(notShown).sort());
  }
}
