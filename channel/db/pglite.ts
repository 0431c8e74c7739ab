/** PGlite: PostgreSQL inside this process, in a folder or in memory. One process, one connection. */
import { randomInt } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite, type PGliteOptions, types } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { type Database, maxOwner, withRetries } from "./database.ts";
import { applyMigrations, migrationsFolder } from "./migrations-folder.ts";
import { prepared } from "./prepared-pglite.ts";

/** A database with the schema, compressed: `npm run package` makes it (`prepareImage`). */
const imageFile = fileURLToPath(new URL("./image.tar.gz", import.meta.url));

/** PostgreSQL's caches, which are sized for servers by default. The file system has its own. */
const small = { shared_buffers: "8MB", wal_buffers: "256kB", max_connections: "5" };
const startParams = [
  ...PGlite.defaultStartParams,
  ...Object.entries(small).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
];

/** Files of the write-ahead log of 1 MB instead of 16, which every new database has at least one of. */
const initDbStartParams = ["--wal-segsize=1"];

/** Opens PGlite with the latest schema. `dataDir` is a folder or `memory://`. */
export async function openPglite(dataDir: string): Promise<Database> {
  // Making a database takes seconds of CPU time and a gigabyte of memory, unpacking one a fraction of that.
  const isNew = dataDir.startsWith("memory://") || !existsSync(join(dataDir, "PG_VERSION"));
  const loadDataDir = isNew && existsSync(imageFile) ? new Blob([readFileSync(imageFile)]) : undefined;
  const client = await PGlite.create({
    dataDir,
    startParams,
    initDbStartParams,
    ...binaryFormat,
    ...(loadDataDir === undefined ? {} : { loadDataDir }),
  });
  const database = pgliteDatabase(client);
  await migratePglite(client);
  return database;
}

/**
 * Writes the image beside a compiled copy of this module. Without the databases from which PostgreSQL makes
 * further ones, it is half as large.
 */
export async function prepareImage(file: string): Promise<void> {
  const client = await PGlite.create({ startParams, initDbStartParams });
  await migratePglite(client);
  await client.exec("update pg_database set datistemplate = false");
  await client.exec("drop database template0");
  await client.exec("drop database template1");
  const image = await client.dumpDataDir("gzip");
  writeFileSync(file, new Uint8Array(await image.arrayBuffer()));
  await client.close();
}

/** PGlite converts `bytea` byte by byte; this is several times as fast for files. */
export const binaryFormat = {
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${asBuffer(bytes).toString("hex")}` },
  parsers: { [types.BYTEA]: (text: string) => new Uint8Array(Buffer.from(text.slice(2), "hex")) },
} satisfies PGliteOptions;

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export async function migratePglite(client: PGlite): Promise<void> {
  await applyMigrations(
    (text) => client.query(text),
    () => migrate(drizzle(client), { migrationsFolder }),
  );
}

export function pgliteDatabase(client: PGlite): Database {
  // Drizzle's type requires the class, but Drizzle calls only `query` and `transaction`.
  const sql = drizzle(prepared(client) as unknown as PGlite, { casing: "snake_case" });
  const owner = randomInt(1, maxOwner);
  const listeners = new Set<(name: string) => void>();
  return {
    sql,
    transaction: (phase) => withRetries(() => sql.transaction(phase)),
    shared: false,
    owner,
    aliveOwners: async () => [owner],
    notify: async (name) => {
      for (const listener of listeners) listener(name);
    },
    onNotify(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => client.close(),
  };
}
