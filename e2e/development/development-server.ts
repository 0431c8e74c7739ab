/** `npm run dev` as a process: the launcher, the embedded channel and Next's development server. */
import { type ChildProcess, spawn } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { testKeys } from "../../testing/test-keys.ts";

const root = join(import.meta.dirname, "..", "..");
/** The first compilation of a page can take a minute on two busy cores. */
const startTime = 300_000;
const stopTime = 30_000;

/** Matches errors and warnings in the output of the launcher and Next, and messages of ended processes. */
const complaint = /^\s*[⨯⚠]|unhandledRejection|uncaughtException|Warning:/;

export class DevelopmentServer {
  readonly #origin = `http://localhost:${process.env["E2E_PORT"]}`;
  readonly #pieces: Buffer[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  /** @param folder the channel's data folder */
  constructor(folder: string) {
    this.#child = spawn(process.execPath, ["scripts/dev.ts"], {
      cwd: root,
      // A process group of its own can be killed as a whole, even after the launcher has ended.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        NODE_ENV: "development",
        // Next locks its build folder, and a running `next dev` may hold the default one.
        NEXT_DIST_DIR: ".next-development",
        PORT: process.env["E2E_PORT"],
        CHANNEL_PORT: process.env["E2E_CHANNEL_PORT"],
        CHANNEL_DATA_DIR: folder,
        CHANNEL_LAB: "1",
        CHANNEL_AGENT_PACE: "5",
        CHANNEL_AUTO_TEAMMATE: "0",
        CHANNEL_TEAM_KEY: testKeys.teamKey,
        LOG_LEVEL: "warn",
      },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (piece: Buffer) => this.#pieces.push(piece));
    process.once("exit", () => this.#signal("SIGKILL"));
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()));
  }

  /** Everything printed so far. */
  output(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }

  complaints(): string[] {
    return this.output()
      .split("\n")
      .filter((line) => complaint.test(line));
  }

  async untilReady(): Promise<void> {
    const deadline = Date.now() + startTime;
    while (!this.output().includes("Shop Chat is ready")) {
      if (!this.#isRunning) throw new Error(`npm run dev ended before it was ready:\n${this.output()}`);
      if (Date.now() > deadline) throw new Error(`npm run dev was not ready in time:\n${this.output()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /**
   * Requests every route once. Otherwise Next would compile a route at its first request, in the middle of a
   * reply.
   */
  async compilePages(): Promise<void> {
    const routes = globSync("app/api/**/route.ts", { cwd: root }).map(dirname);
    for (const route of routes) {
      const path = route
        .slice("app".length)
        .replace("/[[...path]]", "/")
        .replaceAll(/\[\w+\]/g, "compiled");
      const answer = await fetch(this.#origin + path);
      await answer.arrayBuffer();
    }
  }

  /** The launcher stops the other two programs. Kills those that remain after a while. */
  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#signal("SIGKILL"), stopTime);
    await this.#ended;
    clearTimeout(timer);
  }

  get #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // The process group is gone.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
