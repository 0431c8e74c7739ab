/** Opens the database at an address and migrates it to the latest schema. */
import { mkdir } from "node:fs/promises";
import type { Database } from "./database.ts";
import { lockDirectory } from "./directory-lock.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

/** `postgres://…`, a PGlite folder, or `memory://`. */
export async function openDatabase(url: string): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url);
  if (url.startsWith("memory://")) return openPglite(url);
  await mkdir(url, { recursive: true, mode: 0o700 });
  const unlock = await lockDirectory(url);
  try {
    const database = await openPglite(url);
    return {
      ...database,
      async close() {
        await database.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
