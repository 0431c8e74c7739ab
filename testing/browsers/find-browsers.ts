/**
 * Finds the browsers of the tests. Chromium: `CHROMIUM_PATH`, Playwright's own or an installed one; otherwise
 * installs it with Playwright or apt-get. WebKit: an installed one, otherwise with apt-get.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findOnPath, install } from "../apt-get.ts";

// The headless shell comes first: the same engine needs a quarter less CPU (`npm run test:e2e`).
const systemNames = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const systemPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const systemBrowser = () =>
  systemNames.map(findOnPath).find((path) => path !== undefined) ?? systemPaths.find(existsSync);

function ownBrowser(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** Path of an existing Chromium; undefined without one. */
export function findBrowser(): string | undefined {
  return ownBrowser() ?? systemBrowser();
}

/** Path of Chromium, installed if necessary. @throws Error with instructions when the installation fails. */
export function findOrInstallBrowser(): string {
  const given = process.env["CHROMIUM_PATH"];
  if (given !== undefined && given !== "") {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  const found = findBrowser();
  if (found !== undefined) return found;

  console.log("No Chromium found; installing one for the browser tests.");
  const playwright = join("node_modules", "@playwright", "test", "cli.js");
  spawnSync(process.execPath, [playwright, "install", "chromium"], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 10 * 60_000,
  });
  const own = ownBrowser();
  if (own !== undefined) return own;
  // The gallery's reference screenshots show Japanese in this font.
  install(["chromium-headless-shell", "fonts-ipafont-gothic"]);
  const installed = systemBrowser();
  if (installed !== undefined) return installed;
  throw new Error(
    "The browser tests need Chromium, and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.",
  );
}

/** True when WebKitGTK's driver and Xvfb are available, after installing them if necessary. */
export function hasOrInstallsWebKit(): boolean {
  const hasAll = () => findOnPath("WebKitWebDriver") !== undefined && findOnPath("Xvfb") !== undefined;
  if (!hasAll()) install(["webkit2gtk-driver", "xvfb"]);
  return hasAll();
}
