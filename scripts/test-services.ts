/** The tests that need a real PostgreSQL and Redis: finds or installs them, starts throwaway ones, ends them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./environment.ts";
import { findOrInstallPrograms } from "./services/programs.ts";
import { startServices } from "./services/start.ts";

try {
  const services = await startServices(findOrInstallPrograms());
  try {
    const vitest = join("node_modules", "vitest", "vitest.mjs");
    const { status } = spawnSync(
      process.execPath,
      [vitest, "run", "--config", "vitest.services.config.ts", ...process.argv.slice(2)],
      {
        cwd: root,
        stdio: "inherit",
        env: { ...process.env, TEST_DATABASE_URL: services.databaseUrl, TEST_REDIS_URL: services.redisUrl },
      },
    );
    process.exitCode = status ?? 1;
  } finally {
    await services.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
