/**
 * Next's adapter in a build and with two chat servers (npm run test:services). A real build fails when a
 * page's browser code imports it. `node scripts/check-imports.ts` checks that none of ours does; this build
 * takes too long for `npm test`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { root } from "../../../processes/root.ts";
import { createChatServer } from "../chat-server/chat-server.ts";
import { protectNextServer, stopNextChat, toNextHandler } from "../next.ts";

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

test("serves two chat servers of one process on Next's sockets", async () => {
  const log = () => undefined;
  for (const basePath of ["/sales/chat", "/repairs/chat"]) {
    protectNextServer({ basePath, direct: true });
    toNextHandler(createChatServer({ basePath, log }));
  }
  const server = createServer((_request, response) => response.writeHead(418).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await stopNextChat();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect(await statusOf("/sales/chat/health/live")).toBe(200);
  expect(await statusOf("/repairs/chat/health/live")).toBe(200);
  expect(await statusOf("/about")).toBe(418);
});
