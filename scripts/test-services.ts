/**
 * Runs the tests that need PostgreSQL, Redis, nginx and promtool against throwaway servers, then the contract
 * on PostgreSQL, at one channel and through nginx at two, side by side. Arguments select files:
 * `channel/turns`, or `e2e/contract` for the contract alone.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChannelProgram } from "../processes/channel-program.ts";
import { root } from "../processes/root.ts";
import {
  findOrInstallPgBouncer,
  findOrInstallPrograms,
  type ServicePrograms,
} from "../testing/services/find-programs.ts";
import { startChannelBalancer } from "../testing/services/nginx.ts";
import { createDatabase } from "../testing/services/postgres-server.ts";
import { type Services, startServices } from "../testing/services/start-services.ts";
import { testKeys } from "../testing/test-keys.ts";

const files = process.argv.slice(2);
const isContract = (file: string) => file.startsWith("e2e/contract");
const contract = [join("e2e", "live", "run-verify.ts"), ...files.filter(isContract)];
/** Requests that nginx answers itself. */
const malformed = "two Authorization headers|excessive Content-Length|hostile chat IDs|malformed file IDs";

try {
  const programs = findOrInstallPrograms();
  const services = await startServices(programs);
  try {
    const unit = files.length > 0 && files.every(isContract) ? 0 : await runTests(services, programs);
    const runContract = async () =>
      Math.max(...(await Promise.all([runContractAtOne(services), runContractAtTwo(services, programs)])));
    process.exitCode = unit !== 0 || !files.every(isContract) ? unit : await runContract();
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
  const args = [join("node_modules", "vitest", "vitest.mjs"), "run", "--config", "vitest.services.config.ts"];
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
async function runContractAtOne({ databaseUrl }: Services): Promise<number> {
  return run([...contract, "--database", await createDatabase(databaseUrl, "contract")], {});
}

/** The tests that need no lab, which one process has: any channel answers any request. */
async function runContractAtTwo({ databaseUrl }: Services, { nginx }: ServicePrograms): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-contract-"));
  const url = await createDatabase(databaseUrl, "contract_at_two");
  const env = { CHANNEL_DATABASE_URL: url, CHANNEL_AGENT_PACE: "0" };
  const channels = [
    await startChannelProgram(testKeys, { folder, env }),
    await startChannelProgram(testKeys, { folder, env }),
  ];
  const balancer = await startChannelBalancer(
    nginx,
    channels.map((channel) => channel.url),
  );
  try {
    return await run([...contract, "--running", "--grep-invert", malformed], {
      CHAT_BASE_URL: balancer.origin,
      CHAT_CHANNEL_KEY: testKeys.channelKey,
      CHAT_KEY: testKeys.chatKey,
    });
  } finally {
    await balancer.stop();
    for (const { program } of channels) await program.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Runs a program; resolves with its exit code. A signal ends it before the services. */
function run(args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, args, {
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
