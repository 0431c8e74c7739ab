/**
 * Runs one suite: `node scripts/test-browser.ts main|viewports|development|gallery|engines
 * [options]`, with the options of `playwright test`. Finds or installs the browsers. All suites except
 * `development` and `gallery` need the production build.
 */
import { spawn } from "node:child_process";
import { root } from "../processes/root.ts";
import { findOrInstallBrowser, hasOrInstallsWebKit } from "../testing/browsers/find-browsers.ts";

const [suite, ...options] = process.argv.slice(2);
const namesProject = options.some((option) => option.startsWith("--project"));
/** The projects that `npm test` runs. */
const mainProjects = ["bff", "desktop", "phone"];

function findBrowsers(): { env: Record<string, string>; projects: string[] } {
  if (suite === "engines") {
    if (hasOrInstallsWebKit()) return { env: {}, projects: [] };
    console.error("Install WebKitGTK's driver first (Debian: apt-get install webkit2gtk-driver xvfb).");
    process.exit(1);
  }
  return {
    env: { CHROMIUM_PATH: findOrInstallBrowser() },
    projects: suite === "main" && !namesProject ? mainProjects : [],
  };
}

const { env, projects } = findBrowsers();
const tests = spawn(
  process.execPath,
  [
    "node_modules/@playwright/test/cli.js",
    "test",
    ...projects.map((project) => `--project=${project}`),
    ...options,
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, E2E_SUITE: suite, ...env } },
);
// Playwright stops its browsers and programs before exiting only on SIGINT.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill("SIGINT"));
tests.once("exit", (code) => process.exit(code ?? 1));
