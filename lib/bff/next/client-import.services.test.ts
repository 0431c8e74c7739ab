/**
 * A real build fails when a page's browser code imports the chat server's Next adapter. `node
 * scripts/check-imports.ts` checks that none of ours does; this build takes too long for `npm test`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../../../processes/root.ts";

// Inside the repository, because the build reads nothing outside it.
const shop = mkdtempSync(join(root, ".next-case-36-"));
afterAll(() => rmSync(shop, { recursive: true }));

function build(imported: string): { status: number | null; output: string } {
  mkdirSync(join(shop, "pages"), { recursive: true });
  const page = `import { ${imported} as it } from "../../lib/bff/next.ts";\nexport default function Page() { return typeof it; }\n`;
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

test("fails the build of a page that imports the chat server, with the reason", () => {
  const { status, output } = build("toNextHandler");
  expect(status).toBe(1);
  expect(output).toContain("'server-only' cannot be imported from a Client Component module");
  expect(output).toContain("lib/bff/next.ts");
});
