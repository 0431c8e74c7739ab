/** Runs the channel as a process: opens its dependencies, listens, and stops gracefully. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import { loadAgent } from "./agents/load-agent.ts";
import type { ChannelDeps } from "./channel.ts";
import { waits } from "./channel-limits.ts";
import { createChannels } from "./channels.ts";
import { reasonOf } from "./db/database-errors.ts";
import { openDatabase } from "./db/open-database.ts";
import { readEnvironment } from "./environment.ts";
import { StartError } from "./errors.ts";
import { postNotice, printNotice } from "./handoffs/outbox.ts";
import { createLog } from "./http/log.ts";
import { listen, requireAddress } from "./http/server.ts";
import { killAt } from "./kill-points.ts";
import { SeedBody } from "./lab/lab-requests.ts";
import { consoleAddress, isLoopback, startToken } from "./loopback.ts";
import { errorSummary } from "./report-error.ts";
import { loadOrCreateKey } from "./stored-key.ts";
import { noTeam, readShopTeam } from "./team/shop-team.ts";

export interface Ready {
  url: string;
  console: string;
  channelKey: string;
  /** The files with the generated keys; absent for keys of the environment. */
  chatKeyFile: string | undefined;
  teamKeyFile: string | undefined;
  lab: ChannelDeps["lab"];
}

/**
 * @param onReady Tells people that the channel is ready; without it the log does
 * @throws EnvironmentError, or the error of opening the database or the port
 */
export async function run(
  variables: Readonly<Record<string, string | undefined>>,
  onReady?: (ready: Ready) => void,
): Promise<void> {
  const environment = readEnvironment(variables);
  const log = createLog(environment.logLevel);
  // Before the database of a running channel is opened or migrated.
  await requireAddress(environment);
  const { dataDir } = environment;
  const chatKey = environment.chatKey ?? (await loadOrCreateKey(dataDir, "chat-key", "ck_"));
  const teamKey = environment.teamKey ?? (await loadOrCreateKey(dataDir, "team-key", "tk_"));
  const [database, agent] = await Promise.all([
    openDatabase(environment.databaseUrl, {
      directUrl: environment.directDatabaseUrl,
      hasLab: environment.lab !== false,
      onWait: waitingReporter(log),
    }),
    loadAgent(environment.agent, environment),
  ]);
  const consoleToken = startToken(environment.host, environment.consoleToken);
  const team = environment.shopDir === undefined ? noTeam : await readShopTeam(environment.shopDir);
  const chatKeyFile = environment.chatKey === undefined ? join(dataDir, "chat-key") : undefined;
  const channel = await createChannels({
    database,
    channelKey: environment.channelKey,
    chatKey,
    chatKeyFile: isLoopback(environment.host) ? chatKeyFile : undefined,
    teamKey,
    lab: environment.lab,
    seed: environment.seedFile === undefined ? undefined : await readSeed(environment.seedFile),
    agent,
    hours: team.hours,
    console: { token: consoleToken, members: team.members },
    log,
    notifyTeam:
      environment.noticeReceiver === undefined ? printNotice : postNotice(environment.noticeReceiver),
    reach: killAt(environment.killAt),
    kill: () => void process.kill(process.pid, "SIGKILL"),
  });
  await channel.seed();
  if (environment.lab === "anywhere")
    log.warn("the lab answers callers on other machines who have the team key");
  const server = await listen(channel.fetch, environment);
  // Resumes interrupted turns only after the process listens, so that they cannot delay its start.
  channel.start();
  let isStopping = false;
  async function stop(signal: string): Promise<void> {
    // A second signal ends the process at once; the next start resumes its turns.
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    // The channel answers reads and replays until no turn is running. Then open responses end. A database
    // that does not answer must not keep the process: the next start resumes its turns.
    await atMost(waits.stopGrace + waits.stopLast, channel.stop());
    await server.close(waits.closeGrace);
    await atMost(waits.closeDatabase, database.close());
    log.info("stopped");
    process.exit(0);
  }
  // Handlers come before the log line `ready`: a launcher may send a signal as soon as it reads that line.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));

  const url = `http://${environment.host}:${server.port}`;
  const ready: Ready = {
    url,
    console: consoleAddress(url, consoleToken),
    channelKey: environment.channelKey,
    chatKeyFile,
    teamKeyFile: environment.teamKey === undefined ? join(dataDir, "team-key") : undefined,
    lab: environment.lab,
  };
  if (onReady === undefined) log.info(ready, "ready");
  else onReady(ready);
}

/** @throws Error that names the file and what is wrong with it */
async function readSeed(path: string): Promise<ChannelDeps["seed"]> {
  try {
    return parseRequest(SeedBody, JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    const why = cause instanceof ChatApiError ? `${cause.field ?? ""} ${cause.message}` : String(cause);
    throw new StartError(`CHANNEL_SEED: ${path} holds no chats in the format of GET /lab/chats. ${why}`, {
      cause,
    });
  }
}

async function atMost(milliseconds: number, done: Promise<void>): Promise<void> {
  await Promise.race([done, pause(milliseconds)]);
}

/** Logs each reason once, not several times a second. */
function waitingReporter(log: Logger): (error: unknown) => void {
  let last = "";
  return (error) => {
    const reason = error instanceof Error ? reasonOf(error) : String(error);
    if (reason !== last) log.warn({ reason }, "waiting for the database");
    last = reason;
  };
}

/** The text for the terminal: every problem of the environment, or the error's own message. */
export function explainFailure(error: unknown): string {
  return error instanceof StartError ? error.message : errorSummary(error).error;
}
