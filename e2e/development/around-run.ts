/**
 * `npm run dev` around the journeys of development: with a data folder and a build folder of its own, beside a demo that a
 * developer has running, and without the developer's settings (playwright.config.ts hides them).
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
      throw new Error(`The development server complained:\n${complaints.join("\n")}\n${server.output()}`);
  };
}
