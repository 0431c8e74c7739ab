/** Runs the programs of a benchmark on chosen cores and measures their CPU time and memory. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { Program } from "../../processes/program.ts";

/** Read at start, because `availableParallelism` counts fewer cores once this process has pinned itself. */
const lastCore = availableParallelism() - 1;

/** The target has its own core; load and upstream share the others. */
export const cores = { target: "0", load: lastCore > 1 ? `1-${lastCore}` : String(lastCore) };

const canPin = spawnSync("taskset", ["-c", cores.target, "true"]).status === 0;

export function describeMachine(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  const pinned = canPin ? `target on core ${cores.target}, load on ${cores.load}` : "not pinned to cores";
  return `Node ${process.version}, ${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${pinned}`;
}

/** Pins the load generator's own process to its cores. */
export function pinSelf(): void {
  if (canPin) spawnSync("taskset", ["-apc", cores.load, String(process.pid)]);
}

/** Lets a program that this process has started use all cores. */
export function unpin(pid: number): void {
  if (canPin) spawnSync("taskset", ["-apc", `0-${lastCore}`, String(pid)]);
}

/** The command, pinned to the core if this machine has `taskset`. */
export function onCore(core: string, command: readonly string[]): readonly string[] {
  return canPin ? ["taskset", "-c", core, ...command] : command;
}

export function load(): number {
  return loadavg()[0] ?? 0;
}

export interface Launch {
  command: readonly string[];
  env?: NodeJS.Dict<string>;
  core: string;
  /** Accepts connections once the program is ready. */
  port?: number;
  healthUrl?: string;
}

/** Starts a program in its own process group, because `next start` has children. */
export function launch({ command, env = {}, core, ...ready }: Launch): Promise<Program> {
  const [program = "", ...args] = onCore(core, command);
  return Program.start({
    name: command.join(" "),
    program,
    args,
    isGroup: true,
    env: { NODE_ENV: "production", ...env },
    stdout: "ignore",
    stderr: process.env["BENCH_VERBOSE"] === "1" ? "inherit" : "pipe",
    ...ready,
  });
}

/** Ends a program that may be suspended. */
export async function end(program: Program): Promise<void> {
  program.signal("SIGCONT");
  await program.stop("SIGTERM", 3_000);
}

const ticksPerSecond = Number(spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" }).stdout) || 100;

/** Begins to measure the highest memory of a process and its descendants again. */
export function forgetPeak(pid: number): void {
  for (const one of processTree(pid)) {
    if (existsSync(`/proc/${one}/clear_refs`)) writeFileSync(`/proc/${one}/clear_refs`, "5");
  }
}

/** KiB of memory of a process and its descendants, now and at the highest. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const statuses = processTree(pid).map((one) => read(`/proc/${one}/status`));
  const field = (name: string) =>
    sum(statuses, (status) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0));
  return { now: field("VmRSS"), peak: field("VmHWM") };
}

/** The process and its descendants. */
function processTree(pid: number): number[] {
  const found = [pid];
  for (const one of found) {
    for (const task of list(`/proc/${one}/task`)) {
      const children = read(`/proc/${one}/task/${task}/children`).trim();
      if (children !== "") found.push(...children.split(" ").map(Number));
    }
  }
  return found;
}

/** Milliseconds of CPU time, user and system, of a process and its descendants, ended ones included. */
export function processorTime(pid: number): number {
  return sum(processTree(pid), (one) => {
    const fields = read(`/proc/${one}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    // The fields utime, stime, cutime and cstime (proc(5)).
    return (sum(fields.slice(11, 15), Number) * 1_000) / ticksPerSecond;
  });
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

/** Reads from `/proc`: other systems have none, other users' processes are private, and processes end. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const read = (path: string) => readable(() => readFileSync(path, "utf8"), "");
const list = (path: string) => readable(() => readdirSync(path), []);
