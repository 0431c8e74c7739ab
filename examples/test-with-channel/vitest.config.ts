import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { globalSetup: "./one-channel.ts", include: ["**/*.test.ts"] },
});
