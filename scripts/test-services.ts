/** Runs the tests that need PostgreSQL, Redis and nginx against throwaway servers. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { findOrInstallPrograms, type ServicePrograms } from "../testing/services/find-programs.ts";
import { type Services, startServices } from "../testing/services/start-services.ts";
import { root } from "./launcher/environment.ts";

try {
  const programs = findOrInstallPrograms();
  const services = await startServices(programs);
  try {
    process.exitCode = await runTests(services, programs);
  } finally {
    await services.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** The exit code of vitest. A signal ends the tests first and then the services. */
function runTests(
  { databaseUrl, redisUrl }: Services,
  { nginx, postgresBin }: ServicePrograms,
): Promise<number> {
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", "--config", "vitest.services.config.ts", ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        TEST_DATABASE_URL: databaseUrl,
        TEST_REDIS_URL: redisUrl,
        TEST_NGINX: nginx,
        TEST_POSTGRES_BIN: postgresBin,
      },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
