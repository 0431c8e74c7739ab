/** Runs the channel as a program: opens what it needs, listens, ends in an orderly way. */
import pino from "pino";
import type { Agent } from "./agents/agent.ts";
import { createShopAgent } from "./agents/shop-agent.ts";
import { createChannel } from "./channel.ts";
import { openDatabase } from "./db/open-database.ts";
import { type ChannelEnvironment, EnvironmentError, readEnvironment } from "./environment.ts";
import { listen } from "./http/server.ts";
import { keptKey } from "./kept-key.ts";
import { killAt } from "./kill-points.ts";
import { waits } from "./limits.ts";
import { isLoopback } from "./loopback.ts";
import { faultSummary } from "./report-fault.ts";
import { readShopTeam } from "./team/shop-team.ts";

/** A human reads along: about ten words a second. */
const humanPace = 45;

/** The shop's agent; a model over the same tools where one is configured, with the shop's agent behind it. */
async function openAgent({ shopDir, shopOrigin, agentPace, model }: ChannelEnvironment): Promise<Agent> {
  const shopAgent = await createShopAgent({ shopDir, shopOrigin, pace: agentPace ?? humanPace });
  if (model === undefined) return shopAgent;
  // Loaded only where it is used: it brings a library that makes every other start slower.
  const { createModelAgent } = await import("./agents/model-agent.ts");
  return createModelAgent({ shopDir, shopOrigin, endpoint: model, fallback: shopAgent });
}

/** @throws EnvironmentError, or the reason why the database or the port cannot be had */
export async function run(variables: Readonly<Record<string, string | undefined>>): Promise<void> {
  const environment = readEnvironment(variables);
  const log = pino({ level: environment.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const { dataDir } = environment;
  const chatKey = environment.chatKey ?? (await keptKey(dataDir, "chat-key", "ck_"));
  const teamKey = environment.teamKey ?? (await keptKey(dataDir, "team-key", "tk_"));
  const [database, agent] = await Promise.all([
    openDatabase(environment.databaseUrl),
    openAgent(environment),
  ]);
  const team = await readShopTeam(environment.shopDir);
  const channel = await createChannel({
    database,
    channelKey: environment.channelKey,
    chatKey,
    teamKey,
    lab: environment.lab,
    agent,
    autoTeammate: environment.autoTeammate,
    hours: team.hours,
    console: {
      onLoopback: isLoopback(environment.host),
      members: team.members,
      pictureOrigins: [environment.shopOrigin],
    },
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
    // Reads, replays and attaches are answered until no turn runs any more; then the open responses end.
    await channel.stop();
    await server.close(waits.closeGrace);
    await database.close();
    log.info("stopped");
    process.exit(0);
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
}

/** For the person who started it: every fault of the environment, or what the system said. */
export function explainFailure(error: unknown): string {
  return error instanceof EnvironmentError ? error.message : faultSummary(error).error;
}
