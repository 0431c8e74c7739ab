/** The databases and channel processes of the parts that measure the channel. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import type { Program } from "../../processes/program.ts";
import { root } from "../../processes/root.ts";
import { findOrInstallPrograms } from "../../testing/services/find-programs.ts";
import { createDatabase, PostgresServer } from "../../testing/services/postgres-server.ts";
import { cores, launch, onCore, unpin } from "./machine.ts";
import { profiling } from "./targets.ts";
import { channelKey, chatKey } from "./turn-load.ts";

export type Engine = "pglite" | "postgres";

export interface BenchChannel {
  port: number;
  program: Program;
}

/** Throwaway databases; PostgreSQL waits for the disk at each commit, as in production. */
export class Databases {
  readonly #folder = mkdtempSync(join(tmpdir(), "shop-chat-bench-channel-"));
  #postgres: PostgresServer | undefined;
  #count = 0;

  async #create(engine: Engine, storedMessages: number): Promise<string> {
    this.#count += 1;
    const url = engine === "pglite" ? join(this.#folder, `pglite-${this.#count}`) : await this.#newPostgres();
    runNode(["bench/targets/store-messages.ts", url, String(storedMessages)]);
    return url;
  }

  async #newPostgres(): Promise<string> {
    const { postgresBin } = findOrInstallPrograms();
    this.#postgres ??= await PostgresServer.create(postgresBin, { isDurable: true });
    unpin(this.#postgres.pid ?? 0);
    return createDatabase(this.#postgres.url, `bench_${this.#count}`);
  }

  /** The PostgreSQL server, whose connections are its descendants; -1 before it has started. */
  get postgresPid(): number {
    return this.#postgres?.pid ?? -1;
  }

  async startChannel(engine: Engine, storedMessages: number): Promise<BenchChannel> {
    const [url, port] = [await this.#create(engine, storedMessages), await freePort()];
    const program = await launch({
      command: [process.execPath, ...profiling(), "channel/main.ts"],
      env: {
        CHANNEL_PORT: String(port),
        CHANNEL_DATABASE_URL: url,
        CHANNEL_DATA_DIR: this.#folder,
        CHANNEL_TEAM_KEY: "tk_benchmark_benchmark",
        CHAT_CHANNEL_KEY: channelKey,
        CHAT_KEY: chatKey,
        CHANNEL_AGENT: "bench/targets/echo.ts",
      },
      core: cores.target,
      healthUrl: `http://127.0.0.1:${port}/healthz`,
    });
    return { port, program };
  }

  async remove(): Promise<void> {
    await this.#postgres?.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs a program on the target's core. */
function runNode(args: readonly string[]): void {
  const [program = "", ...rest] = onCore(cores.target, [process.execPath, ...args]);
  const { status, stderr } = spawnSync(program, rest, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} failed:\n${stderr}`);
}
