import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    // `server-only` throws outside a React server; tests of the BFF run in plain Node.
    alias: { "server-only": new URL("./scripts/empty-module.ts", import.meta.url).pathname },
  },
  test: {
    include: [
      "lib/**/*.test.{ts,tsx}",
      "channel/**/*.test.ts",
      "components/**/*.test.{ts,tsx}",
      "scripts/**/*.test.ts",
    ],
    restoreMocks: true,
  },
});
