/**
 * The database that tests share, each with its own channel key: on PGlite one in memory per test file, on
 * PostgreSQL one for all files, on the server that `npm run test:services` has started.
 */
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { inject, onTestFinished } from "vitest";
import type { Database } from "../db/database.ts";
import { migrationsFolder } from "../db/migrations-folder.ts";
import { binaryFormat, migratePglite, pgliteDatabase } from "../db/pglite.ts";
import { openPostgres } from "../db/postgres.ts";

/** The PostgreSQL server under test; empty for PGlite. */
export const postgresUrl: string = inject("databaseUrl") ?? "";

// Opened while the file loads, outside any test's timeout.
const client = postgresUrl === "" ? await openTemplate() : undefined;

export interface TestDatabase extends Database {
  /**
   * Closes the connections, as the end of a process does. Does nothing on PGlite, which the tests of the file
   * share.
   */
  lose(): Promise<void>;
}

/** Opens the tests' database once more, as a second process would. */
export async function testDatabase(): Promise<TestDatabase> {
  const database = client === undefined ? await openPostgres(postgresUrl) : pgliteDatabase(client);
  let isLost = client !== undefined;
  const lose = async () => {
    if (isLost) return;
    isLost = true;
    await database.close();
  };
  if (!isLost) onTestFinished(lose);
  return { ...database, close: async () => undefined, lose };
}

/**
 * Opens a copy of a migrated database, which is cached among the temporary files: migrating takes seconds,
 * copying a fraction of that.
 */
async function openTemplate(): Promise<PGlite> {
  const path = join(tmpdir(), `shop-chat-template-${schemaVersion()}.tar`);
  try {
    return await PGlite.create({ loadDataDir: new Blob([readFileSync(path)]), ...binaryFormat });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const fresh = await PGlite.create(binaryFormat);
  await migratePglite(fresh);
  const copy = await fresh.dumpDataDir("none");
  // Another test file may write the cache at the same time, so the file must appear whole or not at all.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, new Uint8Array(await copy.arrayBuffer()));
  await rename(draft, path);
  return fresh;
}

function schemaVersion(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(migrationsFolder).filter((file) => file.endsWith(".sql")))
    hash.update(readFileSync(join(migrationsFolder, name)));
  return hash.digest("hex").slice(0, 16);
}
