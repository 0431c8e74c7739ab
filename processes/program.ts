/** Starts a program, by default with Node, as a child process and waits until it is ready. */
import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "./root.ts";

const defaultStartTimeout = 90_000;

/** Programs to kill when a worker exits before its tests have stopped them. */
const running = new Set<Program>();
process.once("exit", () => {
  for (const program of running) program.signal("SIGKILL");
});

async function request(url: string): Promise<Response | null> {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(20_000) }).catch(
    () => null,
  );
  await response?.body?.cancel();
  return response;
}

/** Rejects when another program answers at the URL and would be taken for the one under test. */
export async function expectUnused(url: string, name: string): Promise<void> {
  if ((await request(url)) === null) return;
  throw new Error(
    `At ${url} another program answers already, perhaps of another run: ${name} cannot start there`,
  );
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => socket.end(() => resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

export interface ProgramOptions {
  /** Name in messages, such as `the shop`. */
  name: string;
  /** Node by default. */
  program?: string;
  args: readonly string[];
  /** The repository by default. */
  cwd?: string;
  /** The user of the process; by default this one's. */
  user?: { uid?: number; gid?: number };
  /** The program leads a process group, which signals reach as a whole, even after the leader has ended. */
  isGroup?: boolean;
  /** Its whole environment, apart from `PATH`. */
  env: NodeJS.ProcessEnv;
  /** URL that answers 2xx or 3xx once the program is ready. `start` and `untilReady` need it or `port`. */
  healthUrl?: string | undefined;
  /** Port that accepts connections once the program is ready. */
  port?: number;
  /** Targets of the output; by default it is kept for `output`. */
  stdout?: "pipe" | "inherit" | "ignore" | number;
  stderr?: "pipe" | "inherit";
  onOutput?(piece: Buffer): void;
  /** Called when the program ends. Without it an unexpected end is reported on standard error. */
  onEnd?(how: NodeJS.Signals | number): void;
  /** Milliseconds. */
  startTimeout?: number;
}

export class Program {
  readonly #child: ChildProcess;
  readonly #pieces: Buffer[] = [];
  /** Resolves with the signal that ended the program, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number>;

  readonly #options: ProgramOptions;
  #isSignalled = false;

  /** Starts the program without waiting until it is ready. */
  constructor(options: ProgramOptions) {
    const { name, program = process.execPath, args, cwd = root, env, user = {} } = options;
    const { stdout = "pipe", stderr = "pipe", isGroup = false, onOutput, onEnd } = options;
    this.#options = options;
    this.#child = spawn(program, args, {
      ...user,
      cwd,
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", stdout, stderr],
      detached: isGroup,
    });
    running.add(this);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (piece: Buffer) => {
        this.#pieces.push(piece);
        onOutput?.(piece);
      });
    }
    this.ended = new Promise((resolve) => {
      // A group has ended once none of its processes holds the output any more.
      this.#child.once(isGroup ? "close" : "exit", (code, signal) => {
        running.delete(this);
        const how = signal ?? code ?? 1;
        if (onEnd !== undefined) onEnd(how);
        else if (!this.#isSignalled) process.stderr.write(`${name} has ended by itself (${how})\n`);
        resolve(how);
      });
    });
  }

  /** Rejects with the program's output when it ends before it is ready or takes too long. */
  static async start(options: ProgramOptions): Promise<Program> {
    const program = new Program(options);
    if (await program.untilReady()) return program;
    throw new Error(
      `${options.name} ended (${await program.ended}) before it was ready:\n${program.output()}`,
    );
  }

  /** False when the program ends before it is ready. Rejects with its output when it takes too long. */
  async untilReady(): Promise<boolean> {
    const { name, healthUrl = "", port, startTimeout = defaultStartTimeout } = this.#options;
    const isReady = async () =>
      port === undefined ? ((await request(healthUrl))?.status ?? 500) < 400 : await accepts(port);
    const deadline = Date.now() + startTimeout;
    while (this.isRunning && Date.now() < deadline) {
      if (await isReady()) return true;
      await pause(25);
    }
    if (!this.isRunning) return false;
    await this.stop("SIGKILL");
    throw new Error(`${name} did not answer at ${port ?? healthUrl}:\n${this.output()}`);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.exitCode === null && this.#child.signalCode === null;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** All output so far, unless standard output has another target. */
  output(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }

  signal(signal: NodeJS.Signals): void {
    this.#isSignalled = true;
    const { pid } = this.#child;
    // A program that could not be started has no group: the group 0 would be the caller's own.
    if (this.#options.isGroup === true && pid !== undefined) signalGroup(pid, signal);
    else this.#child.kill(signal);
  }

  /** Stops the program, after `grace` milliseconds with SIGKILL, and resolves when it has ended. */
  async stop(signal: NodeJS.Signals = "SIGTERM", grace?: number): Promise<void> {
    if (this.isRunning) this.signal(signal);
    const timer = grace === undefined ? undefined : setTimeout(() => this.signal("SIGKILL"), grace);
    await this.ended;
    clearTimeout(timer);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The process group is gone.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
