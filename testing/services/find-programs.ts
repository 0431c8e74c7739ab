/** Finds PostgreSQL, Redis, nginx and promtool, or installs them with apt-get. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findOnPath, install } from "../apt-get.ts";

export interface ServicePrograms {
  /** The folder with `initdb` and `postgres`. */
  postgresBin: string;
  redisServer: string;
  nginx: string;
  /** Prometheus' checker of alerts. */
  promtool: string;
}

/** @throws Error that names the missing programs and how to install them. */
export function findOrInstallPrograms(): ServicePrograms {
  const missing = [
    ...(findPostgres() === undefined ? ["postgresql"] : []),
    ...(findOnPath("redis-server") === undefined ? ["redis-server"] : []),
    ...(findOnPath("nginx") === undefined ? ["nginx"] : []),
    ...(findOnPath("promtool") === undefined ? ["prometheus"] : []),
  ];
  if (missing.length > 0) install(missing);
  const postgresBin = findPostgres();
  const redisServer = findOnPath("redis-server");
  const nginx = findOnPath("nginx");
  const promtool = findOnPath("promtool");
  if (
    postgresBin === undefined ||
    redisServer === undefined ||
    nginx === undefined ||
    promtool === undefined
  ) {
    throw new Error(
      "These tests need PostgreSQL 14 or later (initdb, postgres), redis-server, nginx and promtool. Install them " +
        "(Debian: apt-get install postgresql redis-server nginx prometheus; macOS: brew install postgresql redis nginx " +
        "prometheus), or name PostgreSQL's programs with POSTGRES_BIN.",
    );
  }
  return { postgresBin, redisServer, nginx, promtool };
}

/** The path of PgBouncer, which one test needs; undefined where it is not installed and cannot be. */
export function findOrInstallPgBouncer(): string | undefined {
  if (findOnPath("pgbouncer") === undefined) install(["pgbouncer"]);
  const found = findOnPath("pgbouncer");
  if (found === undefined) console.log("Without PgBouncer (pgbouncer): its test is skipped.");
  return found;
}

function findPostgres(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, "bin"))
    : [];
  const named = process.env["POSTGRES_BIN"];
  const reported = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  return [named, ...versions, reported].find(
    (folder) => folder !== undefined && folder !== "" && existsSync(join(folder, "initdb")),
  );
}
