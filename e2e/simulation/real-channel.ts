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
import type { ReachKillPoint } from "../../channel/kill-points.ts";
import * as specification from "../contract/support/specification.ts";
import { answerTo } from "./agent.ts";
import type { ChatApi, ChatApiDeps, ChatFacts, MakeChatApi } from "./chat-api.ts";
import { errorResponse, Refusal, readPath } from "./model-http.ts";
import type { Server } from "./network.ts";
import { type Client, openSimulatedDatabase, type SimulatedDatabase } from "./real-database.ts";
import { type Actor, createActor } from "./scheduler.ts";
import { apiOrigin, channelKey, chatKey } from "./servers.ts";

const teamKey = "tk_simulation_of_the_team";

/** An intended failure, which the channel's log may name. */
class Intended extends Error {
  override name = "Intended";
}

interface Process extends Client, Server {
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
  /** The connections of all that have not been killed. */
  const clients = new Set<Client>();
  let listening: readonly Process[] = [];
  let chats: ReadonlyMap<string, ChatFacts> = new Map();
  const notices: ChatApi["notices"] = [];
  const conflicts: ChatApi["conflicts"] = [];
  /** The accepted offers, by chat and time of the handoff. */
  const accepted = new Map<string, string>();
  /** How often processes had been disturbed when a notice was delivered, by its ID. */
  const told = new Map<string, number>();
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
  const pace = random.pick([1, 20, 300]);
  const messagesPerPage = random.pick([3, 20, 50]);
  const report = (where: string, error: unknown) => errors.push({ at: scheduler.now(), where, error });

  // The processes

  /** Starts a process. */
  function launch(delay: number): void {
    counts.started += 1;
    const actor = createActor(`channel ${counts.started}`, clockOffset);
    const client = { actor, owner: counts.started, listeners: new Set<(name: string) => void>() };
    scheduler.schedule(actor, delay, "starts", () => {
      open(client).catch((error) => report(actor.name, error));
    });
  }

  async function open(client: Client): Promise<void> {
    const { actor } = client;
    clients.add(client);
    const onError = ({ where, error }: { where: string; error: string }) =>
      error.startsWith(Intended.name) || report(`${actor.name}: ${where}`, error);
    const channel = await createChannels({
      database: database.connect(client, clients, scheduler, random.fork(`database of ${actor.name}`)),
      channelKey,
      chatKey,
      teamKey,
      agent,
      log: pino({ level: "error" }, { write: (line) => onError(JSON.parse(line)) }),
      notifyTeam: notifyTeam(actor),
      reach: killPoints(client),
    });
    channel.start();
    listening = [...listening, { ...client, channel, handle: (request) => handle(channel, request) }];
  }

  const leave = ({ actor }: Client) => {
    listening = listening.filter((process) => process.actor !== actor);
  };

  /** SIGKILL. Another process takes its place. */
  function kill(client: Client): void {
    counts.disturbed += 1;
    leave(client);
    clients.delete(client);
    scheduler.kill(client.actor);
    launch(isHealed ? 0 : random.pick([0, 1_000, 8_000]));
  }

  /** Called at a process's next kill point. */
  const due = new Map<Actor, (process: Process) => void>();

  /** Some processes are killed when they have reached a number of kill points. */
  function killPoints({ actor }: Client): ReachKillPoint {
    const draw = random.fork(`kill points of ${actor.name}`);
    let left = draw.chance(0.3) ? draw.between(1, 100) : Number.POSITIVE_INFINITY;
    const reach: ReachKillPoint = (point) => {
      const process = listening.find((one) => one.actor === actor);
      if (process === undefined || isHealed || point === "inside-sweep") return;
      left -= 1;
      const act = left <= 0 ? kill : due.get(actor);
      if (act === undefined) return;
      due.delete(actor);
      scheduler.schedule(world, 0, `${actor.name} reaches ${point}: ${act.name}`, () => undefined);
      act(process);
    };
    // Every `done` event leaves in two halves.
    if (draw.chance(0.3)) reach.armed = "inside-done";
    return reach;
  }

  /** Suspends a process for longer than a lease. */
  function suspend({ actor }: Process): void {
    counts.disturbed += 1;
    actor.isFrozen = true;
    scheduler.schedule(world, random.pick([500, 10_000, 45_000, 45_000]), `${actor.name} runs again`, () =>
      scheduler.thaw(actor),
    );
  }

  /** SIGTERM, and SIGKILL when it would exit. */
  function restart(process: Process): void {
    leave(process);
    scheduler.schedule(process.actor, 0, "stops", () => {
      process.channel.stop().then(
        () => kill(process),
        (error) => report(process.actor.name, error),
      );
    });
  }

  // What the channel uses

  const agent: Agent = {
    async *reply({ trigger }, signal) {
      const given = trigger.type === "message" ? trigger.message.text : trigger.action;
      const { deltas, question, choices, form, offer, fails, slowness = 1 } = answerTo(given);
      for (const text of deltas) {
        await pause(pace * slowness, undefined, { signal });
        yield { type: "text", text };
      }
      if (fails) throw new Intended();
      if (question !== undefined) yield { type: "ask", text: question };
      if (choices !== undefined) yield { type: "choices", choices };
      if (form !== undefined) yield { type: "request_form", form };
      if (offer !== undefined) yield { type: "offer_handoff", ...offer };
    },
  };

  const notifyTeam =
    ({ name }: Actor): NotifyTeam =>
    async ({ id, chatId, payload }) => {
      if (!isHealed && random.chance(0.1)) throw new Intended();
      const { email, requestedAt } = payload as { email: string | null; requestedAt: string };
      const before = told.get(id);
      told.set(id, counts.disturbed);
      if (before === undefined)
        notices.push({ chatId, confirmationId: accepted.get(chatId + requestedAt) ?? "", email });
      else if (before === counts.disturbed) report(name, new Error(`the team is told twice of ${id}`));
    };

  // Requests

  async function handle({ fetch, settings }: Channel, request: Request): Promise<Response> {
    const operation = readPath(new URL(request.url).pathname).methods?.get(request.method);
    const { refusal, published, suspended, requestsPerMinute, planEnded, atCapacity } = switches;
    if (refusal !== null && operation && specification.codesOf(operation).includes(refusal))
      return errorResponse(new Refusal(refusal), "request_refused");
    settings.changeLimits({
      messagesPerPage,
      requestsPerMinute: Number.isFinite(requestsPerMinute) ? requestsPerMinute : null,
      chatsPerChannel: planEnded ? 0 : null,
      concurrentTurns: atCapacity ? 0 : null,
    });
    const current = settings.current();
    if (current.published !== published || current.suspended !== suspended)
      await settings.change({ published, suspended });
    const response = await fetch(request);
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

  const oneListening = () => listening[random.between(0, listening.length - 1)];
  const world = createActor("world");

  database.empty().catch((error) => report("truncate", error));
  for (let count = random.between(1, 2); count > 0; count -= 1) launch(0);

  return {
    get chats() {
      return chats;
    },
    notices,
    conflicts,
    switches,
    servers: () => listening,
    async look() {
      const changed = await database.readChanged();
      if (changed === null) return;
      chats = changed;
      for (const { chat, latestOfferId } of changed.values())
        if (chat.mode === "waiting" && chat.handoff !== null && latestOfferId !== null)
          accepted.set(chat.id + chat.handoff.requestedAt, latestOfferId);
    },
    crash() {
      const process = oneListening();
      if (process === undefined || process.actor.isFrozen) return;
      const act = random.pick([kill, suspend, restart]);
      // In the middle of a request or turn, or now.
      if (random.chance(0.6)) due.set(process.actor, act);
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
    },
    heal() {
      isHealed = true;
      for (const { actor } of clients) scheduler.thaw(actor);
    },
  };
}
