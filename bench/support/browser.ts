import { type Browser, chromium } from "@playwright/test";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findOrInstallBrowser(),
    // Chromium's sandbox does not work for root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
}
