/** Runs the programs of a benchmark on chosen cores and measures their CPU time and memory. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { root } from "../../scripts/root.ts";

/** Read at start, because `availableParallelism` counts fewer cores once this process has pinned itself. */
const lastCore = availableParallelism() - 1;

/** The target has a core of its own; load and upstream share the rest. */
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

/** The command, pinned to the core if one is given and this machine has `taskset`. */
export function onCore(core: string | undefined, command: readonly string[]): readonly string[] {
  return core !== undefined && canPin ? ["taskset", "-c", core, ...command] : command;
}

export function load(): number {
  return loadavg()[0] ?? 0;
}

export interface Launch {
  command: readonly string[];
  env?: NodeJS.Dict<string>;
  core?: string;
  /** A path that answers once the program is ready. */
  ready?: { port: number; path?: string };
  cwd?: string;
}

const ticksPerSecond = Number(spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" }).stdout) || 100;

const started = new Set<ChildProcess>();

/** Kills every program that is still running. */
export function stopAll(): void {
  for (const { pid } of started) if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

/** A program and its child processes. */
export class Running {
  readonly child: ChildProcess;
  /** Milliseconds from the start to the first answer. */
  readyAfter = 0;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  static async start({ command, env = {}, core, ready, cwd = root }: Launch): Promise<Running> {
    const [program = "", ...args] = onCore(core, command);
    const startedAt = performance.now();
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
      stdio: ["ignore", "ignore", process.env["BENCH_VERBOSE"] === "1" ? "inherit" : "ignore"],
      detached: true,
    });
    started.add(child);
    child.once("exit", () => started.delete(child));
    const running = new Running(child);
    if (ready !== undefined) await running.#untilReady(ready.port, ready.path ?? "/", command.join(" "));
    running.readyAfter = performance.now() - startedAt;
    return running;
  }

  async #untilReady(port: number, path: string, name: string): Promise<void> {
    const until = Date.now() + 60_000;
    while (Date.now() < until) {
      if (this.child.exitCode !== null)
        throw new Error(`${name} ended at its start; BENCH_VERBOSE=1 shows why`);
      const answered = await fetch(`http://127.0.0.1:${port}${path}`).then(
        (answer) => answer.body?.cancel().then(() => true) ?? true,
        () => false,
      );
      if (answered) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await this.stop();
    throw new Error(`${name} did not answer within a minute`);
  }

  /** CPU time of all its processes since the start, in milliseconds. */
  cpu(): number {
    return processorTime(this.child.pid ?? 0);
  }

  /** KiB of memory, now and at the highest since `forgetPeak`. */
  memory(): { now: number; peak: number } {
    return memoryOf(this.child.pid ?? 0);
  }

  forgetPeak(): void {
    for (const pid of processTree(this.child.pid ?? 0)) {
      if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, "5");
    }
  }

  /** Suspends all its processes until `resume`, so that leftover work does not disturb other measurements. */
  suspend(): void {
    this.#signal("SIGSTOP");
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    // Signals the whole process group, because `next start` has children. Suspended ones end once resumed.
    process.kill(-child.pid, "SIGTERM");
    this.resume();
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 3_000);
    await ended;
    clearTimeout(timer);
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

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has ended.
    return "";
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
