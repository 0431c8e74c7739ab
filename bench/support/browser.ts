import { type Browser, chromium } from "@playwright/test";
import { chromiumArguments } from "../../testing/browsers/chromium-arguments.ts";
import { findOrInstallBrowser } from "../../testing/browsers/find-browsers.ts";

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findOrInstallBrowser(), args: [...chromiumArguments] });
}
