/** The settings of `next.config.mjs` that depend on the environment. */
import { expect, test, vi } from "vitest";

test("allows the development server's files to pages at APP_ORIGIN", async () => {
  for (const [origin, allowed] of [
    ["https://shop.test:8443", ["shop.test"]],
    ["not an origin", []],
  ] as const) {
    vi.resetModules();
    vi.stubEnv("APP_ORIGIN", origin);
    const { default: config } = await import("../next.config.mjs");
    expect(config.allowedDevOrigins).toEqual(allowed);
  }
});
