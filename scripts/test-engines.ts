/**
 * The journeys in the other two engines: in Firefox by Playwright, in WebKit by WebKitGTK's own driver. Needs the
 * production build. An engine that is not there and cannot be had is left out and named; without either it fails.
 */
import { spawn } from "node:child_process";
import { findOrInstallFirefox, hasOrInstallsWebKit } from "./browser.ts";
import { root } from "./environment.ts";

const firefox = findOrInstallFirefox();
const hasWebKit = hasOrInstallsWebKit();
if (firefox === undefined)
  console.error("LEFT OUT: Firefox. Install it (Debian: apt-get install firefox-esr), or set FIREFOX_PATH.");
if (!hasWebKit)
  console.error(
    "LEFT OUT: WebKit. Install WebKitGTK's driver (Debian: apt-get install webkit2gtk-driver xvfb).",
  );
if (firefox === undefined && !hasWebKit) process.exit(1);

const projects = [...(firefox === undefined ? [] : ["firefox*"]), ...(hasWebKit ? ["webkit*"] : [])];
const tests = spawn(
  process.execPath,
  [
    "node_modules/@playwright/test/cli.js",
    "test",
    "--config=playwright.engines.config.ts",
    ...projects.map((project) => `--project=${project}`),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, FIREFOX_PATH: firefox ?? "" } },
);
// By this signal alone Playwright ends its browsers and what it has started before it ends itself.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill("SIGINT"));
tests.once("exit", (code) => process.exit(code ?? 1));
