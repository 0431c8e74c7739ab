/** Throwaway PostgreSQL and Redis on free ports, with their data in temporary folders. */
import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { freePort } from "../processes/program.ts";
import type { ServicePrograms } from "./find-programs.ts";
import { PostgresServer } from "./postgres-server.ts";
import { endService, serviceFolder, serviceUser, startService } from "./service-process.ts";

export type Services = Awaited<ReturnType<typeof startServices>>;

export async function startServices(programs: ServicePrograms) {
  const user = serviceUser();
  const folder = serviceFolder(user);
  const port = await freePort();
  let postgres: PostgresServer | undefined;
  let redis: ChildProcess | undefined;

  async function startRedis(): Promise<void> {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
    redis = await startService(programs.redisServer, args, { folder, user, port });
  }

  async function endRedis(signal: NodeJS.Signals): Promise<void> {
    if (redis !== undefined) await endService(redis, signal);
  }

  async function stop(): Promise<void> {
    await Promise.all([postgres?.remove(), endRedis("SIGINT")]);
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    const server = await PostgresServer.create(programs.postgresBin);
    postgres = server;
    await startRedis();
    return {
      databaseUrl: server.url,
      redisUrl: `redis://127.0.0.1:${port}`,
      /** Ends the server with the signal and restarts it at the same address. PostgreSQL keeps its data. */
      async restart(name: "postgres" | "redis", signal: NodeJS.Signals) {
        if (name === "postgres") {
          await server.stop(signal);
          await server.start();
        } else {
          await endRedis(signal);
          await startRedis();
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
