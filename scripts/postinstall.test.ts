import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../processes/root.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Installs a project whose `node_modules/.bin/node` has this content. */
function install(program: string): { status: number | null; node: string } {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-postinstall-"));
  const node = join(folder, "node_modules", ".bin", "node");
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts }));
  writeFileSync(node, program);
  chmodSync(node, 0o755);
  const { status } = spawnSync("npm", ["run", "postinstall"], { cwd: folder });
  return { status, node };
}

// As musl's loader answers, with libc6-compat, to a Node that is linked with glibc.
test("removes an installed Node that does not start, so that scripts use the machine's own", () => {
  const { status, node } = install("#!/bin/sh\nexit 127\n");
  expect(status).toBe(0);
  expect(existsSync(node)).toBe(false);
});

test("keeps an installed Node that starts", () => {
  const { status, node } = install(`#!/bin/sh\nexec ${process.execPath} "$@"\n`);
  expect(status).toBe(0);
  expect(existsSync(node)).toBe(true);
});
