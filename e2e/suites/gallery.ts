/** The chat's gallery: every state is accessible and matches its reference screenshot. */
import { devices } from "@playwright/test";
import type { ChatTestConfig } from "./main.ts";

const galleryPort = process.env["E2E_GALLERY_PORT"] ?? "3910";

/** The gallery exists in development only. It makes no Chat API calls, so no channel runs behind it. */
const galleryServer = {
  command: `"${process.execPath}" node_modules/next/dist/bin/next dev -H 127.0.0.1 -p ${galleryPort}`,
  url: `http://localhost:${galleryPort}/gallery?section=none`,
  reuseExistingServer: process.env["E2E_GALLERY_PORT"] !== undefined,
  timeout: 180_000,
  gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  env: {
    NODE_ENV: "development",
    // Next locks its build folder, and a running `next dev` may hold the default one.
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

export const gallery = (): ChatTestConfig => ({
  // Without a shop and a channel there are no records to search for keys.
  globalSetup: [],
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
