/** The channel and the app under test: here examples/express, whose folder needs `npm install`, too. */
import { defineConfig } from "@playwright/test";

const keys = {
  CHAT_CHANNEL_KEY: "dep_app_tests",
  CHAT_KEY: "ck_only_for_these_tests",
  CHANNEL_TEAM_KEY: "tk_only_for_these_tests",
};
const [channel, app] = ["http://127.0.0.1:4815", "http://localhost:4816"];

export default defineConfig({
  testMatch: "*.spec.ts",
  use: {
    baseURL: app,
    // Unset: the browser that `npx playwright install chromium` has installed.
    launchOptions: { executablePath: process.env["CHROMIUM_PATH"] },
  },
  webServer: [
    {
      command: "npx shop-chat-channel --port 4815 --database memory:// --lab --pace 0",
      url: `${channel}/healthz`,
      env: keys,
    },
    {
      command: "npm start",
      cwd: "../express",
      url: `${app}/api/chat/health/live`,
      env: {
        ...keys,
        PORT: "4816",
        APP_ORIGIN: app,
        CHAT_BASE_URL: channel,
        SESSION_SECRET: "a secret of these tests on this machine alone",
        SIGN_IN_SECRET: "a secret of these tests on this machine alone",
      },
    },
  ],
});
