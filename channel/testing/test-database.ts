/**
 * The database that tests share, each with its own channel key: on PGlite one in memory per test file, on
 * PostgreSQL one for all files, on the server that `npm run test:services` has started.
 */
import { inject, onTestFinished } from "vitest";
import type { Database } from "../db/database.ts";
import { pgliteDatabase } from "../db/pglite.ts";
import { openPostgres } from "../db/postgres.ts";
import { openTemplate } from "./pglite-template.ts";

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
