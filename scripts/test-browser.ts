/**
 * Runs one browser suite: `node scripts/test-browser.ts main|viewports|development|gallery|engines
 * [options]`, with the options of `playwright test`. Finds or installs the browsers. All suites except
 * `development` and `gallery` need the production build.
 */
import { spawn } from "node:child_process";
import {
  findOrInstallBrowser,
  findOrInstallFirefox,
  hasOrInstallsWebKit,
} from "../testing/browsers/find-browsers.ts";
import { root } from "./root.ts";

const [suite, ...options] = process.argv.slice(2);
const namesProject = options.some((option) => option.startsWith("--project"));
const mainProjects = ["contract", "bff", "desktop", "phone", "faults"];

/**
 * Firefox and WebKit, or the one that the options' projects belong to. A missing engine is skipped and named;
 * without any the run fails.
 */
function findEngines(): { env: Record<string, string>; projects: string[] } {
  const isWanted = (engine: string) => !namesProject || options.some((option) => option.includes(engine));
  const firefox = isWanted("firefox") ? findOrInstallFirefox() : undefined;
  const hasWebKit = isWanted("webkit") && hasOrInstallsWebKit();
  if (isWanted("firefox") && firefox === undefined) {
    console.error(
      "LEFT OUT: Firefox. Install it (Debian: apt-get install firefox-esr), or set FIREFOX_PATH.",
    );
  }
  if (isWanted("webkit") && !hasWebKit) {
    console.error(
      "LEFT OUT: WebKit. Install WebKitGTK's driver (Debian: apt-get install webkit2gtk-driver xvfb).",
    );
  }
  if (firefox === undefined && !hasWebKit) process.exit(1);
  const found = [...(firefox === undefined ? [] : ["firefox*"]), ...(hasWebKit ? ["webkit*"] : [])];
  return { env: { FIREFOX_PATH: firefox ?? "" }, projects: namesProject ? [] : found };
}

function findBrowsers(): { env: Record<string, string>; projects: string[] } {
  if (suite === "engines") return findEngines();
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
  { cwd: root, stdio: "inherit", env: { ...process.env, ...env, E2E_SUITE: suite } },
);
// Playwright stops its browsers and programs before exiting only on SIGINT.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill("SIGINT"));
tests.once("exit", (code) => process.exit(code ?? 1));
