/** Throwaway PostgreSQL and Redis on free ports, with their data in temporary folders. */
import { rmSync } from "node:fs";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import type { ServicePrograms } from "./find-programs.ts";
import { PostgresServer } from "./postgres-server.ts";
import { serviceFolder, serviceUser } from "./service-process.ts";

export type Services = Awaited<ReturnType<typeof startServices>>;

export async function startServices(programs: ServicePrograms) {
  const user = serviceUser();
  const folder = serviceFolder(user);
  const port = await freePort();
  let postgres: PostgresServer | undefined;
  let redis: Program | undefined;

  async function startRedis(): Promise<void> {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
    redis = await Program.start({
      name: "Redis",
      program: programs.redisServer,
      args,
      cwd: folder,
      user,
      env: { NODE_ENV: "test" },
      port,
    });
  }

  async function stop(): Promise<void> {
    await Promise.all([postgres?.remove(), redis?.stop("SIGINT")]);
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
          await redis?.stop(signal);
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
