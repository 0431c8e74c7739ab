/**
 * The chat's gallery in a browser: accessible in light and dark, nothing that sticks out of a narrow screen, and the
 * same as its kept pictures. With `--update` it keeps new pictures: to be looked at before they are committed.
 */
import { spawnSync } from "node:child_process";
import { findOrInstallBrowser } from "./browser.ts";
import { root } from "./environment.ts";

const update = process.argv.includes("--update") ? ["--update-snapshots=all"] : [];
const { status } = spawnSync(
  process.execPath,
  ["node_modules/@playwright/test/cli.js", "test", "--config=playwright.gallery.config.ts", ...update],
  { cwd: root, stdio: "inherit", env: { ...process.env, CHROMIUM_PATH: findOrInstallBrowser() } },
);
process.exit(status ?? 1);
