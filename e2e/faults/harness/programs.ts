/** The programs of the two layouts, which can be stopped, suspended and restarted. */
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import { Program } from "../../../processes/program.ts";
import { hideSettingsFiles } from "../../../testing/processes/settings-files.ts";

const startTime = 240_000;
const startTries = 10;

export interface ProgramSettings {
  name: string;
  args: readonly string[];
  env: Record<string, string>;
  /** Answers 2xx once the program is ready. */
  healthUrl: string;
  logFile: string;
  /** Called when the program ends by itself. */
  onUnexpectedEnd(how: string): void;
}

export class HarnessProgram {
  readonly name: string;
  readonly #settings: ProgramSettings;
  readonly #log: WriteStream;
  #program: Program | undefined;
  #ended: Promise<string> = Promise.resolve("not started");
  #isEnding = false;
  #isArmed = false;
  #starting: Promise<void> | undefined;
  /** Time of its SIGSTOP; undefined while it runs. */
  #stoppedAt: number | undefined;

  constructor(settings: ProgramSettings) {
    this.name = settings.name;
    this.#settings = settings;
    this.#log = createWriteStream(settings.logFile, { flags: "a" });
  }

  get pid(): number | undefined {
    return this.#program?.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.#program?.signal(signal);
  }

  get isRunning(): boolean {
    return this.#program?.isRunning === true;
  }

  get isReady(): boolean {
    return this.isRunning && this.#starting === undefined;
  }

  /** True while it is armed to kill itself at a kill point. */
  get isArmed(): boolean {
    return this.#isArmed;
  }

  /** Milliseconds since its SIGSTOP; 0 while it runs. */
  get stoppedFor(): number {
    return this.#stoppedAt === undefined ? 0 : performance.now() - this.#stoppedAt;
  }

  /**
   * Resolves when it is ready or has been ended meanwhile. Restarts a program that ends before it is ready,
   * for example because its database is down, as a supervisor would.
   * @param killAt The channel kills itself at this kill point (`CHANNEL_KILL_AT`).
   */
  start(killAt?: string): Promise<void> {
    this.#starting ??= this.#startUntilReady(killAt).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startUntilReady(killAt: string | undefined): Promise<void> {
    this.#isEnding = false;
    for (let tries = 0; tries < startTries; tries += 1) {
      if (await this.#startOnce(killAt)) return;
      if (this.#isEnding || killAt !== undefined) return;
    }
    throw new Error(
      `${this.name} ended ${startTries} times before it was ready: see ${this.#settings.logFile}`,
    );
  }

  async #startOnce(killAt: string | undefined): Promise<boolean> {
    const { args, env, healthUrl, name, onUnexpectedEnd } = this.#settings;
    let isReady = false;
    const program = new Program({
      name,
      args,
      healthUrl,
      startTimeout: startTime,
      env: hideSettingsFiles({
        NODE_ENV: "production",
        ...env,
        ...(killAt === undefined ? {} : { CHANNEL_KILL_AT: killAt }),
      }),
      onOutput: (piece) => this.#log.write(piece),
      onEnd: (how) => {
        const isMeant = this.#isEnding || (killAt !== undefined && how === "SIGKILL");
        if (isReady && !isMeant) onUnexpectedEnd(`${name}: ${how}`);
      },
    });
    this.#program = program;
    this.#isArmed = killAt !== undefined;
    this.#ended = program.ended.then((how) => (this.#isEnding ? "ended" : String(how)));
    isReady = await program.untilReady();
    return isReady;
  }

  /** Resolves when it has ended. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    if (!this.isRunning) return;
    this.#isEnding = true;
    this.resume();
    this.#program?.signal(signal);
    await this.#ended;
  }

  stop(): void {
    this.#stoppedAt = performance.now();
    this.#program?.signal("SIGSTOP");
  }

  resume(): void {
    if (this.#stoppedAt === undefined) return;
    this.#stoppedAt = undefined;
    this.#program?.signal("SIGCONT");
  }

  /** Resolves with how it ended by itself; otherwise with `ended`. */
  get ended(): Promise<string> {
    return this.#ended;
  }
}

export const channelArguments = [join("channel", "main.ts")];
export const plainBffArguments = [join("scripts", "bff.ts")];
