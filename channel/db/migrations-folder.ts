import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { errorCode, StartError } from "../errors.ts";
import { reasonOf } from "./database-errors.ts";

/** Written by `npx drizzle-kit generate`. Never changed once a database may have applied them. */
export const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

type Query = (text: string) => Promise<{ rows: unknown[] }>;

/** @throws StartError if the database has another schema than an earlier version of the channel left */
export async function applyMigrations(query: Query, migrate: () => Promise<void>): Promise<void> {
  await requireKnownMigrations(query);
  await migrate().catch((cause) => {
    // SQLSTATE 23, and 42 but for a missing privilege: rows or tables are not as the migrations expect. The
    // transaction is rolled back.
    if (!/^(?:23|42(?!501))/.test(errorCode(cause) ?? "")) throw cause;
    throw new StartError(
      `The database has other tables than the channel expects (${reasonOf(cause)}). It was left as it was. ` +
        "Start the version of the channel that last used it, or name another database in CHANNEL_DATABASE_URL.",
      { cause },
    );
  });
}

/** @throws StartError if a newer version of the channel has migrated the database */
async function requireKnownMigrations(query: Query): Promise<void> {
  const newest = Math.max(
    ...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis),
  );
  const table = "drizzle.__drizzle_migrations";
  const { rows: tables } = await query(`select 1 where to_regclass('${table}') is not null`);
  if (tables.length === 0) return;
  const { rows: later } = await query(`select 1 from ${table} where created_at > ${newest} limit 1`);
  if (later.length > 0)
    throw new StartError(
      "The database belongs to a newer version of the channel. Start that version, or name another database in CHANNEL_DATABASE_URL.",
    );
}
