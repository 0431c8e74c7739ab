import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const withChannel = "lib/**/with-channel/*.test.ts";

export default defineConfig({
  resolve: {
    // `server-only` throws outside a React server; tests of the BFF run in plain Node.
    alias: { "server-only": new URL("./scripts/empty-module.ts", import.meta.url).pathname },
  },
  test: {
    restoreMocks: true,
    // Without it a second: on a machine that does much else a channel may not have begun a turn by then.
    expect: { poll: { timeout: 10_000 } },
    // Vitest would leave one core to the editor, and load every module anew for every file: three times the time. No
    // module here keeps what one test file could leave to the next.
    maxWorkers: availableParallelism(),
    pool: "threads",
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "lib/**/*.test.{ts,tsx}",
            "channel/**/*.test.ts",
            "components/**/*.test.{ts,tsx}",
            "app/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          exclude: [withChannel],
          // A machine that does much else at the same time is slow, not wrong.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "with-channel",
          include: [withChannel],
          // Another process does the work, beside whatever else the machine does.
          testTimeout: 30_000,
          hookTimeout: 120_000,
          // One real channel for all of these files.
          globalSetup: "./lib/bff/testing/channel-process.ts",
        },
      },
    ],
  },
});
