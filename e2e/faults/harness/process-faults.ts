/** Kills, stops and restarts a layout's programs one after the other, as the seed determines. */
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../simulation/random.ts";
import type { Layout } from "./layout.ts";
import type { HarnessProgram } from "./programs.ts";

export interface ProcessFaultOptions {
  layout: Layout;
  random: Random;
  onFault(what: string): void;
  onBroken(what: string): void;
  until: AbortSignal;
  /** Range of the pause between two faults, in milliseconds. */
  interval: readonly [number, number];
  /** How long a suspended program must stay suspended to lose its turns. */
  freezeTime: number;
}

/** The pause after an outage, as a multiple of its length. */
const recoveryShare = 2;
/** A slower end is a violation. A graceful stop takes the channel at most 15 s and the BFF 10 s. */
const orderlyEnd = 20_000;
const killPoints = [
  "before-claim",
  "after-claim",
  "after-start",
  "between-deltas",
  "before-finish",
  "after-finish",
  "inside-done",
  "inside-upload",
  "inside-submission",
  "around-handoff",
  "while-recovering",
  "inside-sweep",
] as const;

type Act = () => Promise<void>;

/**
 * Restarts one of each part of `many`, in the seed's order, so that even a short run meets each restart.
 * `until` aborts only a run that has failed.
 */
export async function restartOneOfEach(options: ProcessFaultOptions): Promise<void> {
  const { layout, random, until } = options;
  const restarts: readonly Act[] = [
    () => endAndStart(pickOf(layout.channels, random), "SIGTERM", options),
    () => endAndStart(pickOf(layout.bffs, random), "SIGTERM", options),
    () => restartService("postgres", "SIGINT", options),
    () => restartService("redis", "SIGTERM", options),
    () => reloadNginx(options),
  ];
  for (const restart of random.shuffled(restarts)) if (!until.aborted) await afterPause(restart, options);
}

export async function causeProcessFaults(options: ProcessFaultOptions): Promise<void> {
  const { layout, random, until } = options;
  const many = layout.name === "many";
  /** Suspensions in progress; other faults continue meanwhile. */
  const freezes = new Set<Promise<void>>();
  while (!until.aborted) {
    const channel = pickOf(layout.channels, random);
    const bff = pickOf(layout.bffs, random);
    const act = random.weighted<Act>([
      [5, () => endAndStart(channel, "SIGKILL", options)],
      [3, () => endAndStart(channel, "SIGTERM", options)],
      [4, () => endAndStart(bff, "SIGKILL", options)],
      [3, () => endAndStart(bff, "SIGTERM", options)],
      [2, () => freeze(channel, random.between(500, 5_000), options)],
      [1, () => freeze(bff, random.between(500, 5_000), options)],
      // With a single channel no other could take over its turns, so the run would only wait.
      [many ? 2 : 0.1, async () => begin(freezes, freeze(channel, options.freezeTime, options))],
      [many ? 2 : 0, () => restartService("postgres", "SIGINT", options)],
      [many ? 2 : 0, () => restartService("postgres", "SIGQUIT", options)],
      [many ? 1 : 0, () => restartService("redis", "SIGTERM", options)],
      [many ? 1 : 0, () => restartService("redis", "SIGKILL", options)],
      [many ? 1 : 0, () => restartNginx(options)],
      [many ? 1 : 0, () => reloadNginx(options)],
    ]);
    await afterPause(act, options);
  }
  await Promise.all(freezes);
}

/**
 * Acts after a pause, and lets all programs run most of the time, however long a start takes on this machine.
 */
async function afterPause(act: Act, { random, until, interval }: ProcessFaultOptions): Promise<void> {
  await pause(random.between(...interval));
  if (until.aborted) return;
  const since = performance.now();
  await act();
  const recovery = (performance.now() - since) * recoveryShare;
  for (const end = performance.now() + recovery; performance.now() < end && !until.aborted; )
    await pause(100);
}

function begin(running: Set<Promise<void>>, work: Promise<void>): void {
  const tracked = work.finally(() => running.delete(tracked));
  running.add(tracked);
}

function pickOf(programs: readonly HarnessProgram[], random: Random): HarnessProgram {
  const [first, ...others] = programs;
  if (first === undefined) throw new Error("a layout has programs");
  return random.pick([first, ...others]);
}

async function endAndStart(
  program: HarnessProgram,
  signal: "SIGKILL" | "SIGTERM",
  { random, onFault, onBroken }: ProcessFaultOptions,
): Promise<void> {
  if (program.stoppedFor > 0) return;
  onFault(`${kindOf(program)} ${signal}`);
  const since = performance.now();
  await program.end(signal);
  const took = performance.now() - since;
  if (took > orderlyEnd) onBroken(`${program.name} took ${Math.round(took)} ms to end after ${signal}`);
  await pause(random.between(0, 1_200));
  // The restarted program may stop at a kill point.
  const killAt =
    kindOf(program) === "channel" && random.chance(0.4)
      ? `${random.pick(killPoints)}:${random.between(1, 6)}`
      : undefined;
  await program.start(killAt);
  if (killAt === undefined) return;
  const what = `channel killed at ${killAt.replace(/:.*/, "")}`;
  if (program.isRunning) {
    void program.ended.then((how) => {
      if (how === "ended") return;
      onFault(what);
      return program.start();
    });
  } else {
    onFault(what);
    await program.start();
  }
}

async function freeze(
  program: HarnessProgram,
  milliseconds: number,
  { onFault, until, freezeTime }: ProcessFaultOptions,
): Promise<void> {
  if (program.stoppedFor > 0 || !program.isRunning) return;
  onFault(`${kindOf(program)} SIGSTOP${milliseconds >= freezeTime ? " beyond the lease" : ""}`);
  program.stop();
  const end = performance.now() + milliseconds;
  while (performance.now() < end && !until.aborted) await pause(100);
  program.resume();
}

async function restartService(
  name: "postgres" | "redis",
  signal: NodeJS.Signals,
  { layout, onFault }: ProcessFaultOptions,
): Promise<void> {
  onFault(`${name} ${signal}`);
  await layout.services?.restart(name, signal);
}

async function restartNginx({ layout, onFault }: ProcessFaultOptions): Promise<void> {
  onFault("nginx SIGTERM");
  await layout.nginx?.restart();
}

async function reloadNginx({ layout, onFault }: ProcessFaultOptions): Promise<void> {
  onFault("nginx reload");
  layout.nginx?.reload();
}

const kindOf = ({ name }: HarnessProgram) => name.split(" ")[0] ?? name;
