/**
 * Keeps a second process out of a PGlite folder: PGlite would let it in, and each would lose the other's
 * writes. SQLite locks an empty file beside the folder. The system holds that lock: it ends with the process,
 * however that ends, and other containers on the same machine meet it, too.
 */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { databaseVariables, errorCode, StartError } from "../errors.ts";
import { fileHolder } from "../holders.ts";

/** SQLite's code for a lock that another connection holds (SQLITE_BUSY). */
const busy = 5;

/**
 * @returns a function that releases the lock
 * @throws StartError while another connection holds it, or if the file cannot be locked
 */
export function lockDirectory(directory: string): () => void {
  const path = `${resolve(directory)}.lock.sqlite`;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return () => lock?.close();
  } catch (cause) {
    lock?.close();
    if (!(cause instanceof Error)) throw cause;
    const pid = fileHolder(path);
    const holder = pid === undefined ? "" : ` (process ${pid})`;
    throw new StartError(
      "errcode" in cause && cause.errcode === busy
        ? `${directory} is in use by another channel${holder}. Stop it first, or give this one a folder of its own (CHANNEL_DATA_DIR).`
        : `${path} cannot be locked: ${cause.message}. Let this user write it, or name another folder in ${databaseVariables}.`,
      { cause },
    );
  }
}

/** The lock of an earlier version: a file beside the folder that names the socket of its holder. */
const EarlierLock = z.object({ pid: z.number(), socket: z.string() });

/** Undefined for a lock that was cut off: its holder was killed as it began to write. */
function parseLock(text: string): z.infer<typeof EarlierLock> | undefined {
  try {
    return EarlierLock.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** @throws StartError while a channel of an earlier version, which does not ask SQLite, uses the folder */
export async function requireNoEarlierVersion(directory: string): Promise<void> {
  const path = `${resolve(directory)}.lock`;
  if (!existsSync(path)) return;
  const lock = parseLock(await readFile(path, "utf8"));
  if (lock === undefined) return;
  const connection = connect(resolve(dirname(path), lock.socket));
  const isDead = await once(connection, "connect").then(
    () => false,
    (error) => ["ECONNREFUSED", "ENOENT"].includes(errorCode(error) ?? ""),
  );
  connection.destroy();
  if (isDead) return;
  throw new StartError(
    `${directory} is in use by a channel of an earlier version (process ${lock.pid}). Stop it first, or give this one a folder of its own (CHANNEL_DATA_DIR).`,
  );
}
