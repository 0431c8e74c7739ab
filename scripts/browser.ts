/**
 * Finds a Chromium for the browser tests: Playwright's own, `CHROMIUM_PATH`, one of the system; otherwise installs
 * one with Playwright, otherwise with apt-get.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

// The shell without windows first: the same engine for a quarter less of the machine (`npm run test:e2e`).
const systemNames = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const systemPlaces = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

function systemBrowser(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [
    ...folders.flatMap((folder) => systemNames.map((name) => join(folder, name))),
    ...systemPlaces,
  ];
  return candidates.find((path) => existsSync(path));
}

function ownBrowser(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

function succeeds(command: string, ...args: string[]): boolean {
  return (
    spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], timeout: 10 * 60_000 }).status === 0
  );
}

/** Path of a Chromium that exists. Throws a sentence that says what to do when there is none and none can be had. */
export function findOrInstallBrowser(): string {
  const given = process.env["CHROMIUM_PATH"];
  if (given !== undefined && given !== "") {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  const found = ownBrowser() ?? systemBrowser();
  if (found !== undefined) return found;

  console.log("No Chromium found; installing one for the browser tests.");
  if (
    succeeds(process.execPath, join("node_modules", "@playwright", "test", "cli.js"), "install", "chromium")
  ) {
    const installed = ownBrowser();
    if (installed !== undefined) return installed;
  }
  if (
    process.getuid?.() === 0 &&
    succeeds("apt-get", "update") &&
    succeeds("apt-get", "install", "-y", "--no-install-recommends", "chromium-headless-shell")
  ) {
    const installed = systemBrowser();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    "The browser tests need Chromium, and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.",
  );
}
