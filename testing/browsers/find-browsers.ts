/**
 * Finds the browsers of the tests. Chromium: `CHROMIUM_PATH`, Playwright's own or an installed one; otherwise
 * installs it with Playwright or apt-get. WebKit: an installed one, otherwise with apt-get.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

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

function systemProgram(names: readonly string[], paths: readonly string[] = []): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...paths];
  return candidates.find((path) => existsSync(path));
}

const systemBrowser = () => systemProgram(systemNames, systemPaths);

function ownBrowser(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

function succeeds(command: string, ...args: string[]): boolean {
  return (
    spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], timeout: 10 * 60_000 }).status === 0
  );
}

/** Works only as root on systems with apt-get. */
function installsPackages(...packages: readonly string[]): boolean {
  return (
    process.getuid?.() === 0 &&
    succeeds("apt-get", "update") &&
    succeeds("apt-get", "install", "-y", "--no-install-recommends", ...packages)
  );
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
  if (
    succeeds(process.execPath, join("node_modules", "@playwright", "test", "cli.js"), "install", "chromium")
  ) {
    const installed = ownBrowser();
    if (installed !== undefined) return installed;
  }
  // The gallery's reference screenshots show Japanese in this font.
  if (installsPackages("chromium-headless-shell", "fonts-ipafont-gothic")) {
    const installed = systemBrowser();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    "The browser tests need Chromium, and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.",
  );
}

/** True when WebKitGTK's driver and Xvfb are available, after installing them if necessary. */
export function hasOrInstallsWebKit(): boolean {
  const hasAll = () =>
    systemProgram(["WebKitWebDriver"]) !== undefined && systemProgram(["Xvfb"]) !== undefined;
  if (hasAll()) return true;
  console.log("No driver of WebKitGTK found; installing it for the browser tests.");
  return installsPackages("webkit2gtk-driver", "xvfb") && hasAll();
}
