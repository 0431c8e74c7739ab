/** Opens the database at an address and migrates it to the latest schema. */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { waits } from "../channel-limits.ts";
import { databaseVariables, errorCode, makeDataFolder, refuseFolder, StartError } from "../errors.ts";
import { retried } from "../retry.ts";
import type { Database } from "./database.ts";
import { isDatabaseUnavailable, reasonOf } from "./database-errors.ts";
import { openPglite } from "./pglite.ts";
import type { PostgresOptions } from "./postgres.ts";

export interface OpenOptions extends PostgresOptions {
  /** Receives the reason of each wait. */
  onWait?: (error: unknown) => void;
}

/**
 * Opens `postgres://…`, a PGlite folder, or `memory://`. Waits for a server that is still starting, and for a
 * process that is about to leave the lab.
 */
export async function openDatabase(
  url: string,
  { onWait = () => undefined, ...options }: OpenOptions = {},
): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import("./postgres.ts").catch(explainMissing);
    const { LabInUse } = await import("./postgres-presence.ts");
    return retried(() => openPostgres(url, options), {
      isTemporary(error) {
        const willRetry = isDatabaseUnavailable(error) || error instanceof LabInUse;
        if (willRetry) onWait(error);
        return willRetry;
      },
      within: waits.database,
      interval: waits.startRetry,
    }).catch(explainRefusal);
  }
  if (url.startsWith("memory://")) return openPglite(url);
  await makeDataFolder(url, databaseVariables);
  await requireOwnFiles(url);
  // Node 22 warns of its SQLite, which `memory://` does not need.
  const { lockDirectory, requireNoEarlierVersion } = await import("./directory-lock.ts");
  const unlock = lockDirectory(url);
  try {
    await requireNoEarlierVersion(url);
    const database = await openPglite(url).catch((cause) => explainDamage(url, cause));
    return {
      ...database,
      async close() {
        await database.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** PGlite does not say why it cannot read another user's files, which are not damaged. */
async function requireOwnFiles(folder: string): Promise<void> {
  await access(join(folder, "PG_VERSION"), constants.R_OK | constants.W_OK).catch((cause) => {
    if (errorCode(cause) !== "ENOENT") refuseFolder(folder, cause, databaseVariables);
  });
}

/** The packed channel leaves the driver to those who use it. */
function explainMissing(cause: unknown): never {
  if (errorCode(cause) !== "ERR_MODULE_NOT_FOUND") throw cause;
  throw new StartError("PostgreSQL needs the package pg: npm install pg.", { cause });
}

/** The driver's messages name users, hosts and databases, but never a password. */
function explainRefusal(cause: unknown): never {
  if (cause instanceof StartError || !(cause instanceof Error)) throw cause;
  throw new StartError(
    `PostgreSQL cannot be used: ${reasonOf(cause)}. Start it, or correct CHANNEL_DATABASE_URL: host, user, ` +
      "password, database, how to encrypt (sslmode, sslrootcert), or the user's privileges.",
    { cause },
  );
}

/** PGlite fails in its own ways on files that it cannot read, and with PostgreSQL's codes on others. */
function explainDamage(folder: string, cause: unknown): never {
  if (cause instanceof StartError || isDatabaseUnavailable(cause)) throw cause;
  const reason = cause instanceof Error ? reasonOf(cause) : String(cause);
  throw new StartError(
    `The database in ${folder} cannot be opened, because its files are damaged or belong to another program (${reason}). ` +
      `They were left in place. To begin anew, move them away: mv ${folder} ${folder}.damaged`,
    { cause },
  );
}
