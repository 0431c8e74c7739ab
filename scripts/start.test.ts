import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Program } from "../processes/program.ts";
import { root } from "../processes/root.ts";

/**
 * Returns what `npm start` prints for this build folder. It does not start, at the latest because of the
 * port.
 */
async function outputOf(folder: string): Promise<string> {
  const program = new Program({
    name: "npm start",
    args: ["scripts/launch.ts", "start"],
    env: { NODE_ENV: "production", NEXT_DIST_DIR: relative(root, folder), PORT: "65536" },
    onEnd: () => undefined,
  });
  onTestFinished(() => program.stop("SIGKILL"));
  expect(await program.ended).toBe(1);
  return program.output();
}

test("refuses to start without a build, and only warns of one that is older than its sources", async () => {
  const folder = await mkdtemp(join(tmpdir(), "shop-chat-build-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await outputOf(folder)).toContain("There is no production build yet. Run `npm run build` first.");
  const build = join(folder, "BUILD_ID");
  await writeFile(build, "old");
  await utimes(build, 0, 0);
  expect(await outputOf(folder)).toMatch(
    /The production build is older than \S+\. If you have changed it, run `npm run build`\.\n.*PORT/s,
  );
});
