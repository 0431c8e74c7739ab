/** The main journeys against the shop as `npm run dev` serves it. */
import { spawnSync } from "node:child_process";
import { findOrInstallBrowser } from "./browser.ts";
import { root } from "./environment.ts";

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/@playwright/test/cli.js",
    "test",
    "--config=playwright.development.config.ts",
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, CHROMIUM_PATH: findOrInstallBrowser() } },
);
process.exit(status ?? 1);
