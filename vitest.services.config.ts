import { defineConfig } from "vitest/config";

const databaseUrl = process.env["TEST_DATABASE_URL"] ?? "";
const redisUrl = process.env["TEST_REDIS_URL"] ?? "";
/** The program; the tests that need it start it themselves. */
const nginx = process.env["TEST_NGINX"] ?? "";

/** `npm run test:services`: what needs a real PostgreSQL, a real Redis, nginx, or processes that are ended at every kill point. */
export default defineConfig({
  resolve: {
    alias: { "server-only": new URL("./scripts/empty-module.ts", import.meta.url).pathname },
  },
  test: {
    restoreMocks: true,
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "postgres",
          provide: { databaseUrl, redisUrl, nginx },
          include: ["channel/**/*.test.ts", "channel/**/*.services.ts", "lib/**/*.services.ts"],
          exclude: ["channel/agents/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "pglite",
          provide: { databaseUrl: "", redisUrl },
          include: ["channel/**/crash*.services.ts"],
        },
      },
    ],
  },
});
