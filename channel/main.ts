/** `npm run channel`: reads the environment, opens the database, listens; ends in an orderly way. */
import { existsSync } from "node:fs";
import pino from "pino";
import { createShopAgent } from "./agents/shop-agent.ts";
import { createChannel } from "./channel.ts";
import { openDatabase } from "./db/open-database.ts";
import { EnvironmentError, readEnvironment } from "./environment.ts";
import { listen } from "./http/server.ts";
import { keptKey } from "./kept-key.ts";
import { killAt } from "./kill-points.ts";
import { waits } from "./limits.ts";
import { faultSummary } from "./report-fault.ts";
import { readShopTeam } from "./team/shop-team.ts";

/** A human reads along: about ten words a second. */
const humanPace = 45;

async function main(): Promise<void> {
  // What is given beats the file.
  if (existsSync(".env.local")) process.loadEnvFile(".env.local");
  const environment = readEnvironment(process.env);
  const log = pino({ level: environment.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const { dataDir } = environment;
  const chatKey = environment.chatKey ?? (await keptKey(dataDir, "chat-key", "ck_"));
  const teamKey = environment.teamKey ?? (await keptKey(dataDir, "team-key", "tk_"));
  const database = await openDatabase(environment.databaseUrl);
  const channel = await createChannel({
    database,
    channelKey: environment.channelKey,
    chatKey,
    teamKey,
    lab: environment.lab,
    agent: await createShopAgent({
      shopDir: environment.shopDir,
      shopOrigin: environment.shopOrigin,
      pace: environment.agentPace ?? humanPace,
    }),
    hours: (await readShopTeam(environment.shopDir)).hours,
    log,
    reach: killAt(environment.killAt),
  });
  await channel.start();
  const server = await listen(channel.fetch, environment);
  log.info({ url: `http://${environment.host}:${server.port}`, channelKey: environment.channelKey }, "ready");

  let isStopping = false;
  async function stop(signal: string): Promise<void> {
    // A second signal means it: the process ends at once, and the next start goes on.
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    const closed = server.close(waits.stopGrace + waits.closeGrace);
    await channel.stop();
    await closed;
    await database.close();
    log.info("stopped");
    process.exit(0);
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
}

try {
  await main();
} catch (error) {
  const told = error instanceof EnvironmentError ? error.message : faultSummary(error).error;
  process.stderr.write(`The channel cannot start. ${told}\n`);
  process.exit(1);
}
