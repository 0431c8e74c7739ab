/** Opens the database at an address and migrates it to the latest schema. */
import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { waits } from "../channel-limits.ts";
import { errorCode } from "../error-code.ts";
import { retried } from "../retry.ts";
import { makeDataFolder, refuseFolder, StartError } from "../start-error.ts";
import type { Database } from "./database.ts";
import { isDatabaseUnavailable, isRefusal, reasonOf } from "./database-errors.ts";
import { DirectoryInUse, databaseVariables, lockDirectory } from "./directory-lock.ts";
import { openPglite } from "./pglite.ts";
import type { PostgresOptions } from "./postgres.ts";

export interface OpenOptions extends PostgresOptions {
  /** Receives the reason of each wait. */
  onWait?: (error: unknown) => void;
}

/**
 * Opens `postgres://…`, a PGlite folder, or `memory://`. Waits for a server that is still starting and for a
 * process that is about to leave the folder or the lab.
 */
export async function openDatabase(
  url: string,
  { onWait = () => undefined, ...options }: OpenOptions = {},
): Promise<Database> {
  const forPredecessor = (isInUse: (error: unknown) => boolean) => ({
    isTemporary: reporting(isInUse),
    within: waits.predecessor,
    interval: waits.startRetry,
  });
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import("./postgres.ts").catch(explainMissing);
    const { LabInUse } = await import("./postgres-presence.ts");
    const forLab = forPredecessor((error) => error instanceof LabInUse);
    return retried(() => retried(() => openPostgres(url, options), forLab), {
      isTemporary: reporting(isDatabaseUnavailable),
      within: waits.database,
      interval: waits.startRetry,
    }).catch(explainRefusal);
  }
  if (url.startsWith("memory://")) return openPglite(url);
  await makeDataFolder(url, databaseVariables);
  await requireOwnFiles(url);
  const forFolder = forPredecessor((error) => error instanceof DirectoryInUse);
  const unlock = await retried(() => lockDirectory(url), forFolder);
  try {
    const database = await openPglite(url).catch((cause) => explainDamage(url, cause));
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

/** PGlite does not say why it cannot read another user's files. */
async function requireOwnFiles(folder: string): Promise<void> {
  const file = join(folder, "PG_VERSION");
  if (!existsSync(file)) return;
  await access(file, constants.R_OK | constants.W_OK).catch((cause) =>
    refuseFolder(folder, cause, databaseVariables),
  );
}

function explainMissing(cause: unknown): never {
  if (errorCode(cause) !== "ERR_MODULE_NOT_FOUND") throw cause;
  throw new StartError(
    "PostgreSQL needs the package pg: npm install pg. Without CHANNEL_DATABASE_URL the channel uses PGlite, which needs none.",
    { cause },
  );
}

/** The driver's messages name users, hosts and databases, but never a password. */
function explainRefusal(cause: unknown): never {
  if (cause instanceof StartError || !(cause instanceof Error)) throw cause;
  const reason = reasonOf(cause);
  const isUnavailable = isDatabaseUnavailable(cause);
  if (!isUnavailable && !isRefusal(cause)) throw cause;
  throw new StartError(
    isUnavailable
      ? `PostgreSQL does not answer: ${reason}. Start it, or correct its address in CHANNEL_DATABASE_URL.`
      : `PostgreSQL refuses the channel: ${reason}. Correct user, password and database in CHANNEL_DATABASE_URL, or the user's privileges.`,
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
