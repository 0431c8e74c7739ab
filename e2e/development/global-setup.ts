/**
 * Runs `npm run dev` around the development suite. It has its own data and build folders, so that it can run
 * beside a developer's demo. playwright.config.ts hides the developer's settings files.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevelopmentServer } from "./development-server.ts";

export default async function aroundRun(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-development-"));
  const server = new DevelopmentServer(folder);
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.untilReady();
    await server.compilePages();
  } catch (error) {
    await stop();
    throw error;
  }
  return async () => {
    await stop();
    const complaints = server.complaints();
    if (complaints.length > 0)
      throw new Error(
        `The development server printed errors or warnings:\n${complaints.join("\n")}\n${server.output()}`,
      );
  };
}
