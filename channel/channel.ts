/**
 * Assembles the channel. All dependencies are arguments, so that tests build the same channel as `run.ts`.
 */
import type { HttpBindings } from "@hono/node-server";
import type { Logger } from "pino";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Agent } from "./agents/agent.ts";
import { operationHandlers } from "./api/operations.ts";
import { mountOperations } from "./api/route.ts";
import { jobIntervals, turnLimits, waits } from "./channel-limits.ts";
import { type ConsoleDeps, mountConsole } from "./console/console.ts";
import type { Database } from "./db/database.ts";
import type { TeamHours } from "./db/team-hours.ts";
import { deliverOutbox, type NotifyTeam } from "./handoffs/outbox.ts";
import { createApp } from "./http/app.ts";
import { credential } from "./http/credentials.ts";
import { createRequestLog } from "./http/log.ts";
import { json } from "./http/responses.ts";
import { createJobs, type Job, type Jobs } from "./jobs/jobs.ts";
import { sweep } from "./jobs/sweeps.ts";
import { neverKilled, type ReachKillPoint } from "./kill-points.ts";
import { importChats } from "./lab/lab-controls.ts";
import { createLabMemory } from "./lab/lab-memory.ts";
import type { SeedBody } from "./lab/lab-requests.ts";
import { type ChannelDirectory, mountLab } from "./lab/lab-routes.ts";
import { withScriptedReplies } from "./lab/scripted-replies.ts";
import { mountOpenApi } from "./openapi/openapi-routes.ts";
import { errorSummary } from "./report-error.ts";
import { createAdmissions } from "./settings/rate-limit.ts";
import { openSettings, type SettingsStore } from "./settings/settings.ts";
import { erasedHint, mountTeam } from "./team/team-routes.ts";
import { recoverTurns, TurnEngine } from "./turns/turn-engine.ts";

export interface ChannelDeps {
  database: Database;
  /** `dep_…`: the public ID in the channel's URL. */
  channelKey: string;
  /** `ck_…`: the BFF's secret. */
  chatKey: string;
  /** Where a program on this machine reads the chat key, for the reference's samples. */
  chatKeyFile?: string | undefined;
  /** `tk_…`: the secret of the team's inbox and the lab. */
  teamKey: string;
  /** Whether the lab's routes exist, and for whom: callers on this machine, or anywhere. */
  lab?: LabMode;
  /** The chats that the lab imports at the start of a channel and after a reset. */
  seed?: SeedBody | undefined;
  /** Answers for every channel of the process. The one that has it serves the console and the reference. */
  fetch?: (request: Request) => Promise<Response>;
  /** The further channels of the process, for the lab. */
  channels?: ChannelDirectory;
  /** Ends the process as a crash would, for the lab. Absent where the process has other work. */
  kill?: (() => void) | undefined;
  agent: Agent;
  log: Logger;
  /** The token signs in the first browser that opens the console with it. Without names it takes any. */
  console?: Pick<ConsoleDeps, "token" | "members">;
  /** The team's hours for a channel that does not exist yet; null: always available. */
  hours?: TeamHours | null;
  /** Tells the team of a new handoff. */
  notifyTeam: NotifyTeam;
  reach?: ReachKillPoint;
}

export type LabMode = false | "here" | "anywhere";

export interface Channel {
  /** Answers one request; `bindings` hold its connection, if there is one. */
  fetch(request: Request, bindings?: Partial<HttpBindings>): Promise<Response>;
  /** Starts the recurring jobs. The first one resumes turns that a crash or a stop interrupted. */
  start(): void;
  /** Imports the seed's chats. Those that exist stay as they are. */
  seed(): Promise<Chat[]>;
  /** Runs every job until nothing is due on the channel's clock. */
  runJobs(): Promise<void>;
  /** Refuses new turns, gives running ones time to end and releases the others. The database stays open. */
  stop(grace?: number): Promise<void>;
  /** The time of the latest Chat API request that the lab has seen. */
  lastRequestAt(): Date | undefined;
  readonly settings: SettingsStore;
}

export async function createChannel(deps: ChannelDeps): Promise<Channel> {
  const settings = await openSettings(deps.database, deps.channelKey, deps.hours ?? null);
  const parts = createParts(deps, settings);
  const { app, engine, memory } = parts;
  const jobs = createChannelJobs(parts);
  const ignoreHints = deps.database.onNotify((name) => {
    if (name.startsWith(erasedHint)) memory.forget(name.slice(erasedHint.length));
  });
  mountOperations(parts, operationHandlers(parts));
  const teamKey = credential(deps.teamKey);
  mountTeam({ ...parts, teamKey });
  const { lab = false, seed = { chats: [] } } = deps;
  if (lab !== false)
    mountLab({
      ...parts,
      teamKey,
      firstChatKey: deps.chatKey,
      seed,
      runJobs: jobs.runAll,
      isOpen: lab === "anywhere",
      channels: deps.channels,
      kill: deps.kill,
    });
  if (deps.fetch !== undefined) {
    const { fetch, chatKeyFile, teamKey: key } = deps;
    mountConsole({ ...deps.console, app, fetch, channelUrl: "http://127.0.0.1", teamKey: key });
    mountOpenApi({ app, channelKey: deps.channelKey, chatKeyFile });
  }
  app.get("/healthz", () =>
    engine.isStopping ? json(503, { status: "stopping" }) : json(200, { status: "ok" }),
  );
  return {
    fetch: async (request, bindings = {}) => app.fetch(request, bindings),
    seed: () => importChats(parts, seed),
    start: jobs.start,
    runJobs: jobs.runAll,
    async stop(grace = waits.stopGrace) {
      ignoreHints();
      await Promise.all([jobs.stop(), engine.stop(grace)]);
    },
    lastRequestAt: () => memory.latestRequests()[0]?.seenAt,
    settings,
  };
}

type Parts = ReturnType<typeof createParts>;

/** Creates the parts that the routes and the jobs share. */
function createParts(deps: ChannelDeps, settings: SettingsStore) {
  const { database, channelKey, agent, log, lab = false, reach = neverKilled } = deps;
  const { clock } = settings;
  const isLab = lab !== false;
  const report = (where: string, error: unknown) => log.error({ where, ...errorSummary(error) }, "error");
  const engine = new TurnEngine({
    database,
    agent: isLab ? withScriptedReplies(agent, database, channelKey) : agent,
    clock,
    settings,
    reach,
    report,
  });
  const memory = createLabMemory();
  const logRequest = createRequestLog(log);
  const app = createApp({
    report,
    logRequest(record) {
      if (isLab) memory.endRequest(record);
      logRequest(record);
    },
    recordsExchanges: isLab,
    isStopping: () => engine.isStopping,
  });
  return {
    app,
    database,
    channelKey,
    chatKey: credential(deps.chatKey),
    around: isLab ? memory.around : undefined,
    admissions: createAdmissions({ database, settings, channelKey }),
    clock,
    engine,
    memory,
    notifyTeam: isLab ? memory.recordNotices(deps.notifyTeam) : deps.notifyTeam,
    reach,
    report,
    settings,
  };
}

function createChannelJobs(parts: Parts): Jobs {
  // Messages before the files that they alone hold.
  const sweeps = (["create keys", "tombstones", "old messages", "expired files"] as const).map(
    (name): Job => ({
      name,
      run: () => sweep(name, parts),
      interval: jobIntervals.sweep,
    }),
  );
  return createJobs(
    [
      { name: "recovery", run: () => recoverTurns(parts), interval: turnLimits.recoveryPoll },
      { name: "outbox", run: () => deliverOutbox(parts), interval: jobIntervals.outbox },
      ...sweeps,
    ],
    parts.report,
  );
}
