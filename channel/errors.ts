import { existsSync } from "node:fs";
import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The variables that name a PGlite folder. */
export const databaseVariables = "CHANNEL_DATABASE_URL or CHANNEL_DATA_DIR";

/** Why the channel cannot start, in words for its operator, with the way out. */
export class StartError extends Error {
  override name = "StartError";
}

/**
 * Makes a folder that only this user can read, unless it exists. `variables` name it.
 * @throws StartError if it cannot be made, read or written
 */
export async function makeDataFolder(path: string, variables = "CHANNEL_DATA_DIR"): Promise<void> {
  const { R_OK, W_OK, X_OK } = constants;
  await makeFolder(path)
    .then(() => access(path, R_OK | W_OK | X_OK))
    .catch((cause) => refuseFolder(path, cause, variables));
}

/** Node's `recursive` option never returns from a file system that refuses with ENOENT, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  // On Windows, a drive may not exist.
  if (parent !== path && !existsSync(parent)) await makeFolder(parent);
  await mkdir(path, { mode: 0o700 }).catch(async (cause) => {
    if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw cause;
  });
}

/** @throws StartError if the folder or its files are not this user's to read and write, else the cause */
export function refuseFolder(path: string, cause: unknown, variables = "CHANNEL_DATA_DIR"): never {
  const code = errorCode(cause) ?? "";
  if (!["EACCES", "EEXIST", "ENOENT", "ENOTDIR", "EPERM", "EROFS"].includes(code)) throw cause;
  throw new StartError(
    `The data folder ${path} cannot be used (${code}). Let this user read and write it and its files, or name another folder in ${variables}.`,
    { cause },
  );
}

/** The system's code of an error or its cause, such as `ENOENT`, or the database's SQLSTATE. */
export function errorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}
