/** The chat’s gallery: accessible in every state, and the same as its kept pictures. */
import { defineConfig, devices } from "@playwright/test";
import base from "./playwright.config.ts";

const galleryPort = process.env["E2E_GALLERY_PORT"] ?? "3910";

/** The gallery is a page of development alone. It asks nothing of the Chat API, so there is none behind it. */
const galleryServer = {
  command: `"${process.execPath}" node_modules/next/dist/bin/next dev -H 127.0.0.1 -p ${galleryPort}`,
  url: `http://localhost:${galleryPort}/gallery?section=none`,
  reuseExistingServer: process.env["E2E_GALLERY_PORT"] !== undefined,
  timeout: 180_000,
  gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  env: {
    NODE_ENV: "development",
    // Next locks the folder that it compiles to: the usual one may be in use.
    NEXT_DIST_DIR: ".next-gallery",
    APP_ORIGIN: `http://localhost:${galleryPort}`,
    CHAT_BASE_URL: "http://127.0.0.1:9",
    CHAT_CHANNEL_KEY: "dep_gallery",
    CHAT_KEY: "ck_gallery",
    SESSION_SECRET: "the gallery keeps no session and needs a seal all the same",
    LOG_LEVEL: "silent",
    NEXT_TELEMETRY_DISABLED: "1",
  },
} as const;

export default defineConfig({
  ...base,
  // Neither a shop nor a channel, and so nothing to search.
  globalSetup: [],
  // Beside what the other tests leave there.
  outputDir: "test-results/gallery",
  reporter: "list",
  projects: [
    {
      name: "gallery",
      testDir: "e2e/gallery",
      snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
      use: {
        ...devices["Desktop Chrome"],
        baseURL: `http://localhost:${galleryPort}`,
        locale: "en-GB",
        timezoneId: "Europe/London",
        contextOptions: { reducedMotion: "reduce" },
      },
    },
  ],
  webServer: galleryServer,
});
