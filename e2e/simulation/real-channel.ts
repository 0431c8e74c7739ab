/**
 * The real channel in the place of the model: one process or two on one database. Each is an actor that may
 * be killed between two statements or at a kill point, suspended, and restarted.
 */
import { setTimeout as pause } from "node:timers/promises";
import pino from "pino";
import type { Agent } from "../../channel/agents/agent.ts";
import type { Channel } from "../../channel/channel.ts";
import { createChannels } from "../../channel/channels.ts";
import type { NotifyTeam } from "../../channel/handoffs/outbox.ts";
import type { KillPoint, ReachKillPoint } from "../../channel/kill-points.ts";
import * as specification from "../contract/support/specification.ts";
import { answerTo, partsOf } from "./agent.ts";
import { createRules, type ProcessFacts } from "./channel-rules.ts";
import type { ChatApi, ChatApiDeps, ChatFacts, MakeChatApi } from "./chat-api.ts";
import { errorResponse, Refusal, readPath } from "./model-http.ts";
import type { Server } from "./network.ts";
import { type Client, openSimulatedDatabase, type SimulatedDatabase } from "./real-database.ts";
import { type Actor, createActor } from "./scheduler.ts";
import { apiOrigin, channelKey, chatKey } from "./servers.ts";
import type { Violation } from "./world.ts";

const teamKey = "tk_simulation_of_the_team";

/** An intended failure, which the channel's log may name. */
class Intended extends Error {
  override name = "Intended";
}

interface Launched extends Client, ProcessFacts {}

interface Process extends Server {
  client: Launched;
  channel: Channel;
}

/** Opens the database, which all episodes share. */
export async function openRealChannel(): Promise<MakeChatApi> {
  const database = await openSimulatedDatabase();
  return (deps) => createRealChannel(database, deps);
}

function createRealChannel(
  database: SimulatedDatabase,
  { scheduler, clockOffset, errors, random: ofStage }: ChatApiDeps,
): ChatApi {
  const random = ofStage.fork("channel");
  const rules = createRules();
  /** All that have not ended, by their number. */
  const processes = new Map<number, Launched>();
  const ended = new Map<number, { at: number; isExit: boolean }>();
  let broken: Violation | null = null;
  let listening: readonly Process[] = [];
  let chats: ReadonlyMap<string, ChatFacts> = new Map();
  const notices: ChatApi["notices"] = [];
  const conflicts: ChatApi["conflicts"] = [];
  /** The accepted offers, by chat and time of the handoff. */
  const accepted = new Map<string, string>();
  /** How often processes had been disturbed when a notice was delivered, by its ID. */
  const told = new Map<string, number>();
  /** The keys of what is done. */
  const done = new Set<string | null>();
  /** How often the agent has been asked in each operation. */
  const asked = new Map<string, number>();
  const answering = new Map<string, { owner: number; endedAt: number | null }>();
  const counts = { started: 0, disturbed: 0 };
  let isHealed = false;
  const switches: ChatApi["switches"] = {
    published: true,
    suspended: false,
    planEnded: false,
    atCapacity: false,
    operationsPerChat: Number.POSITIVE_INFINITY,
    requestsPerMinute: Number.POSITIVE_INFINITY,
    teamBackAt: null,
    refusal: null,
  };
  const pace = random.pick([1, 200, 400]);
  const messagesPerPage = random.pick([3, 50, 50]);
  const pageVariation = random.pick([0, 1]);
  const report = (where: string, error: unknown) => errors.push({ at: scheduler.now(), where, error });

  // The processes

  /** Starts a process. */
  function launch(delay: number): void {
    counts.started += 1;
    const actor = createActor(`channel ${counts.started}`, clockOffset);
    const client: Launched = {
      actor,
      owner: counts.started,
      listeners: new Set(),
      runsSince: null,
      stopsSince: null,
    };
    scheduler.schedule(actor, delay, "starts", () => {
      open(client).catch((error) => report(actor.name, error));
    });
  }

  async function open(client: Launched): Promise<void> {
    const { actor, owner } = client;
    processes.set(owner, client);
    const onError = ({ where, error }: { where: string; error: string }) =>
      error.startsWith(Intended.name) || report(`${actor.name}: ${where}`, error);
    const channel = await createChannels({
      database: database.connect(client, processes, scheduler, random.fork(`database of ${actor.name}`)),
      channelKey,
      chatKey,
      teamKey,
      agent: agentOf(client),
      log: pino({ level: "error" }, { write: (line) => onError(JSON.parse(line)) }),
      notifyTeam: notifyTeam(actor),
      reach: killPoints(client),
    });
    channel.start();
    client.runsSince = scheduler.now();
    listening = [...listening, { actor, client, channel, handle: (request) => handle(channel, request) }];
  }

  function leave(client: Launched): void {
    client.runsSince = null;
    listening = listening.filter((process) => process.client !== client);
  }

  /** Ends a process. */
  function end(client: Launched, isExit: boolean): void {
    leave(client);
    processes.delete(client.owner);
    ended.set(client.owner, { at: scheduler.now(), isExit });
    scheduler.kill(client.actor);
  }

  /** SIGKILL. Another process takes its place. */
  function kill({ client }: Pick<Process, "client">): void {
    counts.disturbed += 1;
    end(client, false);
    launch(isHealed ? 0 : random.pick([0, 1_000, 8_000]));
  }

  /** Called at a process's next kill point, or at its next one of that name. */
  const due = new Map<Launched, { act: (process: Process, at: KillPoint) => void; at: KillPoint | null }>();

  /** Some processes are killed when they have reached a number of kill points. */
  function killPoints(client: Launched): ReachKillPoint {
    const { actor } = client;
    const draw = random.fork(`kill points of ${actor.name}`);
    let left = draw.chance(0.3) ? draw.between(1, 100) : Number.POSITIVE_INFINITY;
    const reach: ReachKillPoint = (point) => {
      const process = listening.find((one) => one.client === client);
      if (process === undefined || isHealed || point === "inside-sweep") return;
      left -= 1;
      const { act, at } = left <= 0 ? { act: kill, at: null } : (due.get(client) ?? {});
      if (act === undefined || (at !== null && at !== point)) return;
      due.delete(client);
      scheduler.schedule(world, 0, `${actor.name} reaches ${point}: ${act.name}`, () => undefined);
      act(process, point);
    };
    // Every `done` event leaves in two halves.
    if (draw.chance(0.3)) reach.armed = "inside-done";
    return reach;
  }

  /**
   * Suspends a process. One that has a reply to store runs again a moment after its lease has ended, while
   * another one writes the reply anew.
   */
  function suspend({ client }: Process, at?: KillPoint): void {
    client.actor.isFrozen = true;
    client.runsSince = null;
    counts.disturbed += 1;
    scheduler.schedule(
      world,
      at === "before-finish" ? 30_500 : random.pick([500, 10_000, 45_000, 45_000]),
      `${client.actor.name} runs again`,
      () => wake(client),
    );
  }

  function wake(client: Launched): void {
    if (!client.actor.isFrozen) return;
    counts.disturbed += 1;
    scheduler.thaw(client.actor);
    if (listening.some((process) => process.client === client)) client.runsSince = scheduler.now();
  }

  /** SIGTERM. Another process takes its place once it has exited. */
  function restart(process: Process): void {
    stop(process, () => launch(random.pick([0, 1_000, 8_000])));
  }

  function stop({ client, channel }: Process, onExit: () => void = () => undefined): void {
    leave(client);
    client.stopsSince = scheduler.now();
    scheduler.schedule(client.actor, 0, "stops", () => {
      channel.stop().then(
        () => {
          counts.disturbed += 1;
          end(client, true);
          onExit();
        },
        (error) => report(client.actor.name, error),
      );
    });
  }

  // What the channel uses

  const agentOf = ({ owner }: Launched): Agent => ({
    async *reply({ operationId, trigger }, signal) {
      const given = trigger.type === "message" ? trigger.message.text : trigger.action;
      const attempt = (asked.get(operationId) ?? 0) + 1;
      asked.set(operationId, attempt);
      answering.set(operationId, { owner, endedAt: null });
      const answer = answerTo(given, attempt);
      const { deltas, fails, slowness = 1 } = answer;
      try {
        for (const text of deltas) {
          await pause(pace * slowness, undefined, { signal });
          yield { type: "text", text };
        }
        if (fails) throw new Intended();
        yield* partsOf(answer);
      } finally {
        if (attempt === asked.get(operationId))
          answering.set(operationId, { owner, endedAt: scheduler.now() });
      }
    },
  });

  const notifyTeam =
    ({ name }: Actor): NotifyTeam =>
    async ({ id, chatId, payload }) => {
      if (!isHealed && random.chance(0.3)) throw new Intended();
      const { email, requestedAt } = payload as { email: string | null; requestedAt: string };
      const before = told.get(id);
      told.set(id, counts.disturbed);
      if (before === undefined)
        notices.push({ chatId, confirmationId: accepted.get(chatId + requestedAt) ?? "", email });
      else if (before === counts.disturbed)
        broken = {
          invariant: "11 the team is told of each handoff",
          what: `${name} tells it twice of ${id}`,
        };
      // The receiver answers late.
      await pause(random.pick([0, 500, 9_000]));
    };

  // Requests

  async function handle({ fetch, settings }: Channel, request: Request): Promise<Response> {
    const operation = readPath(new URL(request.url).pathname).methods?.get(request.method);
    const { refusal, published, suspended, requestsPerMinute, planEnded, atCapacity } = switches;
    if (refusal !== null && operation && specification.codesOf(operation).includes(refusal))
      return errorResponse(new Refusal(refusal), "request_refused");
    settings.changeLimits({
      messagesPerPage,
      pageVariation,
      requestsPerMinute: Number.isFinite(requestsPerMinute) ? requestsPerMinute : null,
      chatsPerChannel: planEnded ? 0 : null,
      concurrentTurns: atCapacity ? 0 : null,
    });
    const current = settings.current();
    if (current.published !== published || current.suspended !== suspended)
      await settings.change({ published, suspended });
    const key = request.headers.get("idempotency-key");
    const isDone = done.has(key);
    const response = await fetch(request);
    if (isDone && response.status === 503)
      broken ??= {
        invariant: "2 a repeated request never stores a message twice",
        what: `${operation} under ${key} is done, and refused when it is repeated`,
      };
    if (response.status !== 409 || operation === undefined) return response;
    const body = await response.text();
    if (body.includes('"idempotency_conflict"')) conflicts.push(operation);
    return new Response(body, response);
  }

  let queue = Promise.resolve();
  /** One request after the other. What a dying process was asked is not asked again. */
  function asTeam(chatId: string, action: string, body: object = {}): void {
    const headers = { authorization: `Bearer ${teamKey}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    queue = queue.then(async () => {
      const process = oneListening();
      if (process === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      process.actor.onDeath.add(resolve);
      scheduler.schedule(process.actor, 0, `a teammate's ${action}`, () => {
        const request = new Request(`${apiOrigin}/team/chats/${chatId}/${action}`, init);
        process.channel.fetch(request).then(
          () => resolve(),
          (error) => report(action, error),
        );
      });
      await promise;
    });
  }

  const oneOf = (some: readonly Process[]) => some[random.between(0, some.length - 1)];
  const oneListening = () => oneOf(listening);
  const world = createActor("world");

  database.empty().catch((error) => report("truncate", error));
  for (let count = random.pick([1, 2, 2]); count > 0; count -= 1) launch(0);

  return {
    get chats() {
      return chats;
    },
    notices,
    conflicts,
    switches,
    servers: () => listening,
    get broken() {
      return broken;
    },
    async look() {
      const changed = await database.readChanged();
      chats = changed?.chats ?? chats;
      for (const { key, state } of changed?.tables.operations ?? []) if (state === "succeeded") done.add(key);
      for (const { id, mode, handoffRequestedAt, latestOffer } of changed?.tables.chats ?? [])
        if (mode === "waiting" && handoffRequestedAt !== null && latestOffer !== null)
          accepted.set(id + handoffRequestedAt.toISOString(), latestOffer.confirmationId);
      const facts = {
        now: scheduler.now(),
        clockOffset,
        processes,
        ended,
        answering,
        told: new Set(told.keys()),
      };
      broken ??= rules.look(changed?.tables ?? null, facts);
    },
    crash() {
      const isAnswering = ({ client: { owner } }: Process) =>
        [...answering.values()].some((one) => one.owner === owner && one.endedAt === null);
      const busy = random.chance(0.7) ? listening.filter(isAnswering) : [];
      const process = oneOf(busy.length > 0 ? busy : listening);
      if (process === undefined || process.actor.isFrozen) return;
      const act = random.pick([kill, suspend, suspend, restart]);
      // In the middle of a request or turn, or now.
      const at = random.pick([null, null, "between-deltas", "before-finish"] as const);
      if (random.chance(0.6)) due.set(process.client, { act, at });
      else act(process);
    },
    expireCursors: () =>
      void oneListening()
        ?.channel.settings.expireCursors()
        .catch((error) => report("cursors", error)),
    team: {
      claim: (chatId, name) => asTeam(chatId, "claim", { name }),
      write: (chatId, text) => asTeam(chatId, "messages", { text }),
      release: (chatId) => asTeam(chatId, "release"),
      fail: (chatId) => asTeam(chatId, "fail"),
      resolve: (chatId) => asTeam(chatId, "resolve"),
      erase: () => undefined,
    },
    heal() {
      isHealed = true;
      for (const client of processes.values()) wake(client);
      const [one, another] = listening;
      if (one !== undefined && another !== undefined && random.chance(0.5)) stop(one);
    },
    end() {
      for (const process of listening) stop(process);
    },
  };
}
