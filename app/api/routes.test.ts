/** The route handlers: one catch-all route for the chat's server, and the shop's own routes. */
import { globSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, test, vi } from "vitest";
import { chat } from "#lib/shop/server/chat.ts";

const app = join(import.meta.dirname, "..");
const files = globSync("**/route.{ts,tsx,js,mjs}", { cwd: app }).map((file) => file.split(sep).join("/"));
test("has one catch-all route for the chat at its base path, beside the shop's routes", () => {
  expect(files.toSorted()).toEqual([
    `${chat.basePath.slice(1)}/[[...path]]/route.ts`,
    "api/shop/orders/route.ts",
    "api/shop/plug/route.ts",
  ]);
});

test("passes requests of every method to the chat's server", async () => {
  // In this phase, importing the route starts nothing.
  vi.stubEnv("NEXT_PHASE", "phase-production-build");
  const { runtime, maxDuration, ...handlers } = await import("./chat/[[...path]]/route.ts");
  expect([runtime, maxDuration]).toEqual(["nodejs", 900]);
  const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
  expect(Object.keys(handlers).toSorted()).toEqual(methods);
  for (const [method, handle] of Object.entries(handlers)) {
    const response = await handle(
      new Request(`https://shop.example${chat.basePath}/health/live`, { method }),
    );
    // Ours, whether or not the environment configures the chat.
    expect(response.headers.get("content-security-policy"), method).toContain("default-src 'none'");
  }
});
