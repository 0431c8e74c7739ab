import { expect, test } from "vitest";
import { requireNode } from "./node-version.ts";

test("names the oldest Node that the chat server supports", () => {
  for (const version of ["22.19.0", "24.0.0"]) expect(() => requireNode(version)).not.toThrow();
  for (const version of ["20.20.2", "22.18.9"])
    expect(() => requireNode(version)).toThrow(`Node.js: must be 22.19 or newer; this is ${version}.`);
});
