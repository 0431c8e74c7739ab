/** Searches the production build for server code. `search-records.ts` searches it for the run's keys. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../../processes/root.ts";
import { testKeys } from "../../testing/test-keys.ts";

const read = (pattern: string) =>
  globSync(pattern, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), "latin1") }));

test("keeps keys, server modules, schemas and source maps out of browser files", () => {
  const files = read(".next/static/**/*");
  const scripts = files.filter(({ name }) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(3);
  const serverOnly = [
    "iron-session",
    "Fe26.2",
    "ioredis",
    "rate-limiter",
    "SESSION_SECRET",
    "CHAT_KEY",
    "CHAT_BASE_URL",
    "ZodError",
    "safeParseAsync",
  ];
  for (const { name, text } of files) {
    expect(name).not.toMatch(/\.map$/);
    expect(/\bck_[A-Za-z0-9_-]{8,}/.test(text), name).toBe(false);
    expect(text.includes(testKeys.channelKey), name).toBe(false);
    for (const word of serverOnly) expect(text.includes(word), `${word} in ${name}`).toBe(false);
  }
});

test("exposes no environment variable to browsers", () => {
  const sources = read("{app,components,lib,scripts}/**/*.{ts,tsx}").concat(read("*.{ts,mjs}"));
  expect(sources.length).toBeGreaterThan(100);
  for (const { name, text } of sources) expect(text.includes("NEXT_PUBLIC_"), name).toBe(false);
  const config = sources.find(({ name }) => name === "next.config.mjs");
  expect(config?.text).toBeDefined();
  expect(config?.text).not.toMatch(/^\s*env\s*:/m);
});
