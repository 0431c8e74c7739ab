import { expect, test } from "vitest";
import { requireNode } from "./node-version.ts";

const remedy = (node: string) => `Node.js: must be 22.19 or newer; this is ${node}.`;

test("names the oldest Node that the chat server supports", () => {
  for (const node of ["22.19.0", "24.0.0"]) expect(() => requireNode({ node })).not.toThrow();
  for (const node of ["20.20.2", "22.18.9"]) expect(() => requireNode({ node })).toThrow(remedy(node));
});
