import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const withChannel = "lib/**/with-channel/*.test.ts";
/** Run by `npm run test:services`. */
const services = "**/*.services.test.ts";
/**
 * How programs start, what they print and how they fail, the contract suite before faulty Chat APIs, that
 * the simulation repeats its histories, and snippets that a compiler reads.
 * `npm test` leaves these tests to `.ci/run`.
 */
const programs = [
  "app/(shop)/playground/snippets.test.ts",
  "channel/{command,start-failures}.test.ts",
  "channel/openapi/samples.test.ts",
  "e2e/simulation/{run-simulation,verify}.test.ts",
  "scripts/{bff,doctor,launch,start}.test.ts",
];

export default defineConfig({
  resolve: {
    // `server-only` throws outside a React server; tests of the BFF run in plain Node.
    alias: { "server-only": new URL("./node_modules/server-only/empty.js", import.meta.url).pathname },
  },
  test: {
    restoreMocks: true,
    setupFiles: "./testing/unit/set-up.ts",
    // The default is a second, which is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // By default Vitest leaves one core free and loads every module again for each file, which takes three
    // times as long. No module here keeps state between test files.
    maxWorkers: availableParallelism(),
    // In one process, V8 may end all threads while PGlite compiles (nodejs/node#64500).
    pool: "forks",
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "lib/**/*.test.{ts,tsx}",
            "channel/**/*.test.ts",
            "agent/**/*.test.ts",
            "components/**/*.test.{ts,tsx}",
            "app/**/*.test.ts",
            "{processes,scripts}/**/*.test.ts",
            "e2e/{faults,simulation}/**/*.test.ts",
          ],
          exclude: [withChannel, services, ...programs],
          // Some tests start programs, which takes tens of seconds on a busy machine.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { name: "programs", include: programs, testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: "with-channel",
          include: [withChannel],
          // Another process does the work, perhaps on a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // One real channel for all of these files.
          globalSetup: "./lib/bff/testing/channel-process.ts",
        },
      },
    ],
  },
});
