/** The tests that need a real PostgreSQL, Redis and nginx: finds or installs them, starts throwaway ones, ends them. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./environment.ts";
import { findOrInstallPrograms } from "./services/programs.ts";
import { type Services, startServices } from "./services/start.ts";

try {
  const programs = findOrInstallPrograms();
  const services = await startServices(programs);
  try {
    process.exitCode = await runTests(services, programs.nginx);
  } finally {
    await services.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Exit code of vitest. A signal ends the tests first and the services after them. */
function runTests({ databaseUrl, redisUrl }: Services, nginx: string): Promise<number> {
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", "--config", "vitest.services.config.ts", ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl, TEST_NGINX: nginx },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
