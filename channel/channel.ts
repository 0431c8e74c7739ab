/** The channel, put together: everything it needs comes in, so that tests build the same one that `main.ts` runs. */
import type { HttpBindings } from "@hono/node-server";
import type { Logger } from "pino";
import type { Agent } from "./agents/agent.ts";
import { mountConsole } from "./console/console.ts";
import type { Database } from "./db/database.ts";
import { createDatabaseFileStore } from "./files/database-file-store.ts";
import type { FileStore } from "./files/file-store.ts";
import { removeOrphans, sweepUnsentFiles } from "./files/sweep-files.ts";
import type { TeamHours } from "./handoffs/team-hours.ts";
import { createApp } from "./http/app.ts";
import { mountChats } from "./http/chats.ts";
import { mountCollections } from "./http/collections.ts";
import { credential } from "./http/credentials.ts";
import { mountDescription } from "./http/description.ts";
import { mountFiles } from "./http/files.ts";
import { mountHandoffs } from "./http/handoffs.ts";
import { mountLab } from "./http/lab.ts";
import { createLabFaults } from "./http/lab-faults.ts";
import { mountMessages } from "./http/messages.ts";
import { createRequestHistory } from "./http/request-history.ts";
import { createRequestLog } from "./http/request-log.ts";
import { json } from "./http/responses.ts";
import { mountTeam } from "./http/team.ts";
import { createJobs, type Job } from "./jobs/jobs.ts";
import { deliverOutbox, type NotifyTeam } from "./jobs/outbox.ts";
import { dropOldMessages, dropTombstones, forgetCreateKeys, type SweepDeps } from "./jobs/sweeps.ts";
import { neverKilled, type ReachKillPoint } from "./kill-points.ts";
import { createLabControls } from "./lab/lab-controls.ts";
import { withScriptedReplies } from "./lab/scripted-replies.ts";
import { jobIntervals, turnLimits, waits } from "./limits.ts";
import { createReplyEffects } from "./reply-effects.ts";
import { faultSummary } from "./report-fault.ts";
import { createAdmissions } from "./settings/admission.ts";
import { openSettings, type SettingsStore } from "./settings/settings.ts";
import { runAutoTeammate } from "./team/auto-teammate.ts";
import { recoverTurns } from "./turns/recovery.ts";
import { TurnEngine } from "./turns/turn-engine.ts";

export interface ChannelDeps {
  database: Database;
  /** `dep_…`: the address that is published. */
  channelKey: string;
  /** `ck_…`: the secret of the BFF. */
  chatKey: string;
  /** `tk_…`: the secret of the team's inbox and of the lab. */
  teamKey: string;
  /** Whether the lab's routes exist. */
  lab?: boolean;
  agent: Agent;
  log: Logger;
  /** Where the bytes of files are kept; the database unless given. */
  files?: FileStore;
  /** The console for people; absent: it asks for the team key, and names no teammate. */
  console?: Partial<ConsoleOptions>;
  /** Whether an automatic teammate answers where nobody does: for demonstrations. */
  autoTeammate?: boolean;
  /** The team's hours of a channel that is new; null: always there. */
  hours?: TeamHours | null;
  /** Tells the team of a new handoff; a line of the log unless given. */
  notifyTeam?: NotifyTeam;
  reach?: ReachKillPoint;
}

export interface ConsoleOptions {
  /** The channel listens on this machine's own address only: the console asks for no key there. */
  onLoopback: boolean;
  /** Whom one can be at the console. */
  members: readonly string[];
  /** Addresses that the agent's pictures may come from. */
  pictureOrigins: readonly string[];
}

export interface Channel {
  /** Answers one request, which came over the connection `bindings`, if it came over one. */
  fetch(request: Request, bindings?: Partial<HttpBindings>): Promise<Response>;
  /** Goes on with turns that a crash or a stop cut short, and begins the recurring jobs. */
  start(): Promise<void>;
  /** Runs every job once: what is due on the channel's clock is done then. */
  runJobs(): Promise<void>;
  /** Refuses new turns, lets running ones end for a while, gives the rest back. The database stays open. */
  stop(grace?: number): Promise<void>;
  readonly settings: SettingsStore;
}

export async function createChannel(deps: ChannelDeps): Promise<Channel> {
  const { database, channelKey, agent, log, lab = false, reach = neverKilled } = deps;
  const settings = await openSettings(database, channelKey, { hours: deps.hours ?? null });
  const { clock } = settings;
  const logNotice: NotifyTeam = async ({ id, kind, chatId }) =>
    log.info({ notice: id, kind, chatId }, "team");
  const { notifyTeam = logNotice } = deps;
  const report = (where: string, error: unknown) => log.error({ where, ...faultSummary(error) }, "fault");
  const engine = new TurnEngine({
    database,
    agent: lab ? withScriptedReplies(agent, database, channelKey) : agent,
    clock,
    effects: createReplyEffects(settings),
    reach,
    report,
  });
  const history = createRequestHistory();
  const logRequest = createRequestLog(log);
  const app = createApp({
    report,
    logRequest(record) {
      history.note(record);
      logRequest(record);
    },
    isStopping: () => engine.isStopping,
  });
  const route = {
    app,
    database,
    channelKey,
    chatKey: credential(deps.chatKey),
    around: lab ? createLabFaults({ database, channelKey }) : undefined,
    admissions: createAdmissions({ database, settings, channelKey }),
    clock,
    engine,
    reach,
    report,
    store: deps.files ?? createDatabaseFileStore(database),
  };
  mountChats(route);
  mountMessages(route);
  mountFiles(route);
  mountCollections(route);
  mountHandoffs(route);
  const teamKey = credential(deps.teamKey);
  mountTeam({ ...route, teamKey, settings });
  const controls = createLabControls({ ...route, settings, runJobs: () => jobs.runAll() });
  if (lab) mountLab({ ...route, teamKey, settings, controls });
  mountConsole({
    ...route,
    onLoopback: false,
    members: [],
    pictureOrigins: [],
    ...deps.console,
    settings,
    history,
    lab: lab ? controls : null,
    teamKey: deps.teamKey,
    requireTeamKey: teamKey.require,
  });
  mountDescription(app);
  app.get("/healthz", () =>
    engine.isStopping ? json(503, { status: "stopping" }) : json(200, { status: "ok" }),
  );

  const recover = () => recoverTurns({ database, channelKey, engine, clock, reach });
  const sweep = (name: string, run: (deps: SweepDeps) => Promise<number>): Job => ({
    name,
    run: () => run({ sql: database.sql, channelKey, now: clock.now(), reach }),
    interval: jobIntervals.sweep,
  });
  const autoTeammate: Job = {
    name: "automatic teammate",
    run: () => runAutoTeammate({ ...route, members: deps.console?.members ?? [] }),
    interval: jobIntervals.autoTeammate,
  };
  const jobs = createJobs(
    [
      { name: "recovery", run: recover, interval: turnLimits.recoveryPoll },
      { name: "unsent files", run: () => sweepUnsentFiles(route), interval: jobIntervals.sweep },
      { name: "orphaned bytes", run: () => removeOrphans(route.store), interval: jobIntervals.orphans },
      {
        name: "outbox",
        run: () => deliverOutbox({ database, channelKey, clock, notifyTeam, reach, report }),
        interval: jobIntervals.outbox,
      },
      ...(deps.autoTeammate === true ? [autoTeammate] : []),
      sweep("create keys", forgetCreateKeys),
      sweep("tombstones", dropTombstones),
      sweep("old messages", dropOldMessages),
    ],
    report,
  );

  return {
    fetch: async (request, bindings = {}) => app.fetch(request, bindings),
    async start() {
      while ((await recover()) > 0);
      jobs.start();
    },
    runJobs: () => jobs.runAll(),
    async stop(grace = waits.stopGrace) {
      await jobs.stop();
      await engine.stop(grace);
    },
    settings,
  };
}
