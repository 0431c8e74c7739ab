/** Plays one episode: actions and events at times that the seed chooses, then peace, then the end. */
import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { actions } from "./actions.ts";
import { type MakeChatApi, modelOfChatApi } from "./chat-api.ts";
import { act, happen, weightedRows } from "./draws.ts";
import { events } from "./events.ts";
import { violationAtEnd, violationAtStep } from "./invariants.ts";
import { type Profile, profileOf } from "./profiles.ts";
import { createRandom, type Random } from "./random.ts";
import { createActor, createScheduler } from "./scheduler.ts";
import { createStage, type Stage } from "./stage.ts";
import { drain, enterEpisode } from "./virtual-time.ts";
import type { Violation } from "./world.ts";

export interface EpisodeOptions {
  seed: number;
  /** The decisions that count, such as `action 3` and `page 12`; without it, all of them. */
  only?: ReadonlySet<string>;
  /** The Chat API; by default the model. */
  makeChatApi?: MakeChatApi;
}

export interface EpisodeResult {
  steps: number;
  /** A line for each step. */
  history: readonly string[];
  /** Digest of the whole history. */
  digest: string;
  violation: Violation | null;
  /** The decisions that were taken. */
  decisions: readonly string[];
}

const start = Date.UTC(2026, 10, 29, 9);
const second = 1_000;
/**
 * Peace lasts until nothing waits for `quiet`, in which each page polls and reads its chat, and at most this
 * long.
 */
const peace = { quiet: 100 * second, most: 900 * second, look: 5 * second };
/** When the team writes, and the customers retry what was refused, after the network has healed. */
const last = { teamWrites: 30 * second, retries: 60 * second };
/** An episode of more steps than this repeats itself, and so does one of more at one time. */
const mostSteps = { inAll: 40_000, atOnce: 1_000 };
/** How long closed pages are watched. */
const afterClose = 90 * second;

/** Receives errors of code that nobody awaits: between episodes, of this program. */
const ofProgram = (where: string, error: unknown) => process.stderr.write(`${where}: ${inspect(error)}\n`);
let onStray: (where: string, error: unknown) => void = ofProgram;
process.on("unhandledRejection", (error) => onStray("unhandled rejection", error));
process.on("uncaughtException", (error) => onStray("uncaught exception", error));

export async function runEpisode({
  seed,
  only,
  makeChatApi = modelOfChatApi,
}: EpisodeOptions): Promise<EpisodeResult> {
  const random = createRandom(seed);
  const scheduler = createScheduler(random.fork("order"), start);
  const decisions: string[] = [];
  const history: string[] = [];
  const digest = createHash("sha256");
  let violation: Violation | null = null;
  const allows = (decision: string) => {
    if (only?.has(decision) === false) return false;
    decisions.push(decision);
    return true;
  };
  enterEpisode({ scheduler, random: random.fork("product") });
  try {
    const stage = createStage({ scheduler, random: random.fork("stage"), makeChatApi, allows });
    onStray = (where, error) => stage.world.errors.push({ at: scheduler.now(), where, error });
    await drain();
    const ended = planActions(
      stage,
      profileOf(seed, makeChatApi !== modelOfChatApi),
      random.fork("plan"),
      allows,
    );

    let latest = { time: 0, steps: 0 };
    const repeatsItself = (): Violation | null => {
      const now = { time: scheduler.now(), steps: scheduler.steps() };
      if (now.time !== latest.time) latest = now;
      const atOnce = now.steps - latest.steps;
      if (now.steps <= mostSteps.inAll && atOnce <= mostSteps.atOnce) return null;
      return {
        invariant: "each episode ends",
        what: `${now.steps} steps have not ended it, ${atOnce} at once`,
      };
    };
    const step = async (until: number): Promise<boolean> => {
      const line = scheduler.step(until);
      if (line === null) return false;
      await drain();
      await stage.model.look();
      history.push(line);
      digest.update(line);
      stage.world.changed = stage.pageOfStep();
      stage.world.hasActed = line.includes(" customers: ");
      violation = violationAtStep(stage.world);
      violation ??= repeatsItself();
      return violation === null;
    };
    const runUntil = async (time: number) => {
      while (await step(time));
      return violation === null;
    };

    if (await runUntil(ended)) {
      stage.heal();
      await drain();
      const healedAt = scheduler.now();
      // News that only a page that polls can show.
      if (random.chance(0.25))
        scheduler.schedule(createActor("world"), last.teamWrites, null, stage.teamWrites);
      // What was refused can be sent after all.
      if (random.chance(0.8))
        for (const page of stage.pagesInFront())
          scheduler.schedule(createActor("customers"), last.retries, null, () => {
            scheduler.become(page.actor);
            const said = page.life === "open" ? actions.retry.act(stage, page) : null;
            return said === null ? "nothing" : `${page.actor.name} ${said}`;
          });
      let quietAt = healedAt + last.retries;
      while (scheduler.now() < Math.min(quietAt + peace.quiet, healedAt + peace.most)) {
        if (!(await runUntil(scheduler.now() + peace.look))) break;
        if (waits(stage)) quietAt = Math.max(quietAt, scheduler.now());
      }
      violation ??= violationAtEnd(stage.world);
      if (violation === null) {
        for (const page of stage.openPages())
          scheduler.schedule(page.actor, 0, "closes the chat", () => page.close());
        stage.model.end();
        await runUntil(scheduler.now() + afterClose);
      }
    }
  } finally {
    scheduler.clear();
    enterEpisode(null);
    onStray = ofProgram;
  }
  return { steps: scheduler.steps(), history, digest: digest.digest("hex"), violation, decisions };
}

/** True while a turn runs, or anything in a page is to end by itself. */
function waits(stage: Stage): boolean {
  for (const { turn } of stage.model.chats.values()) if (turn !== null) return true;
  return stage.openPages().some((page) => page.waits());
}

/** Schedules the actions and events, and returns when the last one is over. */
function planActions(
  stage: Stage,
  profile: Profile,
  random: Random,
  allows: (decision: string) => boolean,
): number {
  const { scheduler } = stage;
  const count = random.between(20, profile.mostDecisions);
  const share = random.pick(profile.eventShares);
  const longest = random.pick(profile.pauses);
  const rows = {
    actions: weightedRows(actions, profile.weights),
    events: weightedRows(events, profile.weights),
  };
  const customers = createActor("customers");
  let at = 500;
  for (let number = 1; number <= count; number += 1) {
    const decision = random.fork(`decision ${number}`);
    at += decision.chance(0.2) ? 0 : decision.next() ** 2 * longest;
    const isEvent = decision.chance(share);
    const name = `${isEvent ? "event" : "action"} ${number}`;
    scheduler.schedule(customers, at, null, () => {
      if (!allows(name)) return "nothing";
      const said = isEvent ? happen(stage, rows.events, decision) : act(stage, rows.actions, decision);
      return said ?? "nothing";
    });
  }
  return scheduler.now() + at + random.pick([1, 60]) * second;
}
