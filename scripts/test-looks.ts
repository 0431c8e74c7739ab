/** Every journey at 390 and 1440 pixels, in light and in dark. Needs the production build. */
import { spawnSync } from "node:child_process";
import { findOrInstallBrowser } from "./browser.ts";
import { root } from "./environment.ts";

const { status } = spawnSync(
  process.execPath,
  ["node_modules/@playwright/test/cli.js", "test", "--config=playwright.looks.config.ts"],
  { cwd: root, stdio: "inherit", env: { ...process.env, CHROMIUM_PATH: findOrInstallBrowser() } },
);
process.exit(status ?? 1);
