/**
 * Runs the tests that need PostgreSQL, Redis, nginx and promtool against throwaway servers, then the contract
 * on PostgreSQL. Arguments select files: `channel/turns`, or `e2e/contract` for the contract alone.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../processes/root.ts";
import {
  findOrInstallPgBouncer,
  findOrInstallPrograms,
  type ServicePrograms,
} from "../testing/services/find-programs.ts";
import { createDatabase } from "../testing/services/postgres-server.ts";
import { type Services, startServices } from "../testing/services/start-services.ts";

const files = process.argv.slice(2);
const isContract = (file: string) => file.startsWith("e2e/contract");

try {
  const programs = findOrInstallPrograms();
  const services = await startServices(programs);
  try {
    const unit = files.length > 0 && files.every(isContract) ? 0 : await runTests(services, programs);
    process.exitCode = unit !== 0 || !files.every(isContract) ? unit : await runContract(services);
  } finally {
    await services.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function runTests(
  { databaseUrl, redisUrl }: Services,
  { nginx, postgresBin, promtool }: ServicePrograms,
): Promise<number> {
  const args = [join("vitest", "vitest.mjs"), "run", "--config", "vitest.services.config.ts"];
  return run([...args, ...files.filter((file) => !isContract(file))], {
    TEST_DATABASE_URL: databaseUrl,
    TEST_REDIS_URL: redisUrl,
    TEST_NGINX: nginx,
    TEST_PGBOUNCER: findOrInstallPgBouncer() ?? "",
    TEST_PROMTOOL: promtool,
    TEST_POSTGRES_BIN: postgresBin,
  });
}

/** The contract over HTTP, in front of a channel on PostgreSQL. `npm test` runs it on PGlite. */
async function runContract({ databaseUrl }: Services): Promise<number> {
  return run([join("@playwright", "test", "cli.js"), "test", "--project=contract", ...files], {
    E2E_ENVIRONMENT: "none",
    CHANNEL_DATABASE_URL: await createDatabase(databaseUrl, "contract"),
  });
}

/** Runs a program of `node_modules`; resolves with its exit code. A signal ends it before the services. */
function run([program = "", ...args]: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [join("node_modules", program), ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
