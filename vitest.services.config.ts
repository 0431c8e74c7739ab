import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const databaseUrl = process.env["TEST_DATABASE_URL"] ?? "";
const redisUrl = process.env["TEST_REDIS_URL"] ?? "";
/** Paths of programs; tests that need one start it themselves. */
const pgbouncer = process.env["TEST_PGBOUNCER"] ?? "";
const nginx = process.env["TEST_NGINX"] ?? "";
const promtool = process.env["TEST_PROMTOOL"] ?? "";
const postgresBin = process.env["TEST_POSTGRES_BIN"] ?? "";

const onPglite = ["channel/damaged-database.services.test.ts"];
/** Tests whose result does not depend on the database engine. `npm run test:unit` runs them. */
const withoutDatabase = [
  "channel/{command,environment,start-channel,start-failures}.test.ts",
  "channel/{collections,openapi}/*.test.ts",
  "channel/db/prepared-pglite.test.ts",
  "channel/handoffs/hours.test.ts",
];

/** `npm run test:services`: tests that need PostgreSQL, Redis, nginx, or kills at every kill point. */
export default defineConfig({
  resolve: {
    alias: { "server-only": new URL("./node_modules/server-only/empty.js", import.meta.url).pathname },
  },
  test: {
    restoreMocks: true,
    setupFiles: "./testing/unit/set-up.ts",
    // Many tests start programs, which takes tens of seconds on a busy machine.
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // As in `vitest.config.ts`.
    maxWorkers: availableParallelism(),
    pool: "threads",
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "postgres",
          provide: { databaseUrl, redisUrl, nginx, pgbouncer, promtool, postgresBin },
          include: ["channel/**/*.test.ts", "lib/**/*.services.test.ts"],
          exclude: [...onPglite, ...withoutDatabase],
        },
      },
      {
        extends: true,
        test: {
          name: "pglite",
          provide: { databaseUrl: "", redisUrl },
          include: ["channel/**/crash*.services.test.ts", ...onPglite],
        },
      },
    ],
  },
});
