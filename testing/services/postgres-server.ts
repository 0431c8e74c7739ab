/** A throwaway PostgreSQL that can be restarted. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { type ServiceUser, serviceFolder, serviceUser } from "./service-process.ts";

/** Creates a database on the server of this URL, and returns the URL of the database. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

export class PostgresServer {
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly #user: ServiceUser;
  readonly #port: number;
  readonly #isDurable: boolean;
  #program: Program | undefined;

  private constructor(bin: string, folder: string, user: ServiceUser, port: number, isDurable: boolean) {
    this.#isDurable = isDurable;
    this.#bin = bin;
    this.#folder = folder;
    this.#user = user;
    this.#port = port;
    this.url = `postgres://chat@127.0.0.1:${port}/postgres`;
  }

  /** `bin` is the folder with `initdb` and `postgres`. Commits wait for the disk only if `isDurable`. */
  static async create(bin: string, { isDurable = false } = {}): Promise<PostgresServer> {
    const user = serviceUser();
    const folder = serviceFolder(user);
    const server = new PostgresServer(bin, folder, user, await freePort(), isDurable);
    execFileSync(
      join(bin, "initdb"),
      ["-D", server.#data, "-U", "chat", "-A", "trust", "-E", "UTF8", "--no-sync"],
      { ...user, cwd: folder, stdio: "pipe" },
    );
    await server.start();
    return server;
  }

  get #data(): string {
    return join(this.#folder, "postgres");
  }

  get pid(): number | undefined {
    return this.#program?.pid;
  }

  /** Starts the server again on the same port. Resolves when it accepts queries. */
  async start(): Promise<void> {
    const args = ["-D", this.#data, "-h", "127.0.0.1", "-p", String(this.#port), "-k", this.#folder];
    const fsync = this.#isDurable ? "on" : "off";
    const settings = ["max_connections=400", `fsync=${fsync}`, "log_min_messages=panic"];
    this.#program = await Program.start({
      name: "PostgreSQL",
      program: join(this.#bin, "postgres"),
      args: [...args, ...settings.flatMap((setting) => ["-c", setting])],
      cwd: this.#folder,
      user: this.#user,
      env: { NODE_ENV: "test" },
      port: this.#port,
    });
    await this.#untilReady();
  }

  /** PostgreSQL listens before it is ready, and refuses connections with 57P03 until then. */
  async #untilReady(): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: this.url });
      try {
        await client.connect();
        return await client.end();
      } catch (error) {
        if (!(error instanceof pg.DatabaseError && error.code === "57P03")) throw error;
        await pause(50);
      }
    }
  }

  /** SIGINT aborts the clients' transactions with an error; SIGQUIT acts like a crash. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    await this.#program?.stop(signal);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
