/** Opens the database at an address and migrates it to the latest schema. */
import { mkdir } from "node:fs/promises";
import { waits } from "../channel-limits.ts";
import { retried } from "../retry.ts";
import type { Database } from "./database.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import { DirectoryInUse, lockDirectory } from "./directory-lock.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

/**
 * Opens `postgres://…`, a PGlite folder, or `memory://`. Waits for a server that is still starting and for a
 * process that is about to leave the folder; `onWait` receives the reason each time.
 */
export async function openDatabase(
  url: string,
  onWait: (error: unknown) => void = () => undefined,
): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    return retried(() => openPostgres(url), {
      isTemporary: reporting(isDatabaseUnavailable),
      within: waits.database,
      interval: waits.startRetry,
    });
  }
  if (url.startsWith("memory://")) return openPglite(url);
  await mkdir(url, { recursive: true, mode: 0o700 });
  const unlock = await retried(() => lockDirectory(url), {
    isTemporary: reporting((error) => error instanceof DirectoryInUse),
    within: waits.predecessor,
    interval: waits.startRetry,
  });
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

  function reporting(isTemporary: (error: unknown) => boolean) {
    return (error: unknown) => {
      const willRetry = isTemporary(error);
      if (willRetry) onWait(error);
      return willRetry;
    };
  }
}
