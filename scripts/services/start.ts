/** Throwaway PostgreSQL and Redis on free ports, with everything they keep in one temporary folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ServicePrograms } from "./programs.ts";

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

const startTimeout = 30_000;

/** PostgreSQL refuses to run as root: root starts it in another user's name. */
interface User {
  uid?: number;
  gid?: number;
}

export async function startServices(programs: ServicePrograms): Promise<Services> {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-services-"));
  const user = serviceUser();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const running: ChildProcess[] = [];
  const stop = async () => {
    // SIGINT is PostgreSQL's fast shutdown: open connections are ended.
    await Promise.all(running.map((child) => ended(child, "SIGINT")));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const data = join(folder, "postgres");
    const options = { ...user, cwd: folder, stdio: "pipe" } as const;
    execFileSync(
      join(programs.postgresBin, "initdb"),
      ["-D", data, "-U", "chat", "-A", "trust", "-E", "UTF8", "--no-sync"],
      options,
    );
    const postgresPort = await freePort();
    const redisPort = await freePort();
    running.push(
      spawn(
        join(programs.postgresBin, "postgres"),
        // biome-ignore format: one setting a line would hide them
        ["-D", data, "-h", "127.0.0.1", "-p", String(postgresPort), "-k", folder, "-c", "max_connections=400", "-c", "fsync=off", "-c", "log_min_messages=fatal"],
        { ...options, stdio: ["ignore", "ignore", "inherit"] },
      ),
      spawn(
        programs.redisServer,
        ["--port", String(redisPort), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
        { ...options, stdio: ["ignore", "ignore", "inherit"] },
      ),
    );
    await Promise.all([listening(postgresPort, running), listening(redisPort, running)]);
    return {
      databaseUrl: `postgres://chat@127.0.0.1:${postgresPort}/postgres`,
      redisUrl: `redis://127.0.0.1:${redisPort}`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serviceUser(): User {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) =>
        Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch (error) {
      // `id` ends with a status where there is no such user.
      if (!(error instanceof Error && "status" in error)) throw error;
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as.",
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

async function listening(port: number, running: readonly ChildProcess[]): Promise<void> {
  const deadline = Date.now() + startTimeout;
  while (Date.now() < deadline) {
    const dead = running.find((child) => child.exitCode !== null);
    if (dead !== undefined)
      throw new Error(`${dead.spawnfile} ended with ${dead.exitCode} before it was ready.`);
    if (await accepts(port)) return;
    await pause(50);
  }
  throw new Error(`Nothing listened on port ${port} within ${startTimeout / 1000} s.`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => socket.end(() => resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}
