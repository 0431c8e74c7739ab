/**
 * Hostile case B, 36, with a real build: a page's code that imports the API client does not build. (That none of ours does
 * is checked by `npm run check:imports`; this takes a build of its own, too long for `npm test`.)
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
// Below the root, since the build reads nothing outside it.
const shop = mkdtempSync(join(root, ".next-case-36-"));
afterAll(() => rmSync(shop, { recursive: true }));

function build(imported: string): { status: number | null; output: string } {
  mkdirSync(join(shop, "pages"), { recursive: true });
  const page = `import { ${imported} as it } from "#lib/bff/upstream/upstream.ts";\nexport default function Page() { return typeof it; }\n`;
  writeFileSync(join(shop, "pages", "index.tsx"), page);
  writeFileSync(join(shop, "instrumentation.ts"), "export function register() {}\n");
  const config = { turbopack: { root }, typescript: { ignoreBuildErrors: true } };
  writeFileSync(join(shop, "next.config.mjs"), `export default ${JSON.stringify(config)};\n`);
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [next, "build", shop], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

test("#36 a page that imports the API client does not build, and the build says why", () => {
  const { status, output } = build("createUpstream");
  expect(status).toBe(1);
  expect(output).toContain("'server-only' cannot be imported from a Client Component module");
  expect(output).toContain("lib/bff/upstream/upstream.ts");
});
