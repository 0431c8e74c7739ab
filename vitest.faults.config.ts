import { defineConfig } from "vitest/config";

/** The channel's crash tests on PGlite: processes that end themselves at every kill point. */
export default defineConfig({
  test: { restoreMocks: true, testTimeout: 60_000, include: ["channel/**/crash.services.ts"] },
});
