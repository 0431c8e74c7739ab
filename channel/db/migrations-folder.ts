import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { StartError } from "../start-error.ts";

/** Written by `npx drizzle-kit generate`. */
export const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

/** @throws StartError if a newer version of the channel has migrated the database */
export async function requireKnownMigrations(
  query: (text: string) => Promise<{ rows: unknown[] }>,
): Promise<void> {
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
