import { defineConfig } from "vitest/config";

const databaseUrl = process.env["TEST_DATABASE_URL"];
const redisUrl = process.env["TEST_REDIS_URL"];

/** `npm run test:services`: the channel's own tests on a real PostgreSQL, and those that need several processes. */
export default defineConfig({
  resolve: {
    alias: { "server-only": new URL("./scripts/empty-module.ts", import.meta.url).pathname },
  },
  test: {
    provide: { databaseUrl: databaseUrl ?? "", redisUrl: redisUrl ?? "" },
    restoreMocks: true,
    testTimeout: 20_000,
    include: ["channel/**/*.test.ts", "channel/**/*.services.ts", "lib/**/*.services.ts"],
    exclude: ["channel/agents/**"],
  },
});
