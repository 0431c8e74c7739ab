import { expect, test } from "vitest";
import { requireNode } from "./node-version.ts";

const remedy = (runtime: string) => `Node.js: must be 22.19 or newer; this is ${runtime}.`;

test("names the oldest Node that the chat server supports", () => {
  for (const node of ["22.19.0", "24.0.0"]) expect(() => requireNode({ node })).not.toThrow();
  for (const node of ["20.20.2", "22.18.9"]) expect(() => requireNode({ node })).toThrow(remedy(node));
});

test("refuses Bun, which says that it is a new Node but has no dispatcher of undici's", () => {
  expect(() => requireNode({ node: "24.3.0", bun: "1.4.5" })).toThrow(remedy("Bun 1.4.5"));
});
