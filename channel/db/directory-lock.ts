/**
 * Keeps a second process out of a PGlite folder: PGlite would let it in, and each would lose the other's
 * writes. The lock is a file beside the folder that names a socket on which its holder listens. It is taken
 * over only when nobody answers there: numbers of processes mean nothing in another container.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { errorCode } from "../error-code.ts";
import { createWhole, refuseFolder, StartError } from "../start-error.ts";

export class DirectoryInUse extends StartError {
  override name = "DirectoryInUse";
}

/** The variables that name a PGlite folder. */
export const databaseVariables = "CHANNEL_DATABASE_URL or CHANNEL_DATA_DIR";

const Holder = z.object({
  pid: z.number(),
  /** Locks of earlier versions have only this. */
  host: z.string().optional(),
  /** The running kernel: a socket in the folder answers in all its containers, and only there. */
  kernel: z.string().default(""),
  /** A name in the lock's folder, or a path elsewhere. */
  socket: z.string().optional(),
});
type Holder = z.output<typeof Holder>;

/**
 * @returns a function that releases the lock
 * @throws DirectoryInUse while another live process holds it, StartError if the lock cannot be written
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = resolve(`${directory.replace(/\/+$/, "")}.lock`);
  const { server, socket } = await listen(path);
  // Earlier versions leave a lock alone if it has `startedAt` and there is a process of this number.
  const own = { pid: process.pid, startedAt: "", host: hostname(), kernel: kernelId(), socket };
  const created = (file: string) =>
    createWhole(file, JSON.stringify(own)).catch((cause) =>
      refuseFolder(dirname(path), cause, databaseVariables),
    );
  try {
    while (!(await created(path))) {
      await requireDead(path, directory);
      // Only one process may take over: a second one would remove the lock that the first has just acquired.
      const guard = `${path}.takeover`;
      if (await created(guard)) {
        try {
          const left = await requireDead(path, directory);
          if (isBeside(left?.socket)) await rm(socketPath(path, left.socket), { force: true });
          // Where there was no lock, another process may have created its own by now.
          if (left !== null) await rm(path, { force: true });
        } finally {
          await rm(guard, { force: true });
        }
      } else if ((await requireDead(guard, directory)) !== null) await rm(guard, { force: true });
    }
  } catch (error) {
    server.close();
    throw error;
  }
  return async () => {
    await rm(path, { force: true });
    server.close();
  };
}

/** Listens beside the lock, or where long paths and a file system without sockets do not matter. */
async function listen(path: string): Promise<{ server: Server; socket: string }> {
  const name = `channel-${randomBytes(6).toString("hex")}.sock`;
  const server = createServer((connection) => connection.destroy()).unref();
  let refusal: unknown;
  for (const socket of process.platform === "win32"
    ? [`\\\\.\\pipe\\${name}`]
    : [name, join(tmpdir(), name)]) {
    try {
      server.listen({ path: socketPath(path, socket), exclusive: true });
      await once(server, "listening");
      return { server, socket };
    } catch (cause) {
      refusal = cause;
    }
  }
  throw refusal;
}

function socketPath(path: string, socket: string): string {
  return resolve(dirname(path), socket);
}

/**
 * The dead holder, as `readHolder` returns it.
 * @throws DirectoryInUse if the lock's holder may still run
 */
async function requireDead(path: string, directory: string): Promise<Holder | undefined | null> {
  const holder = await readHolder(path);
  if (!holder || !(await isAlive(path, holder))) return holder;
  throw new DirectoryInUse(
    isElsewhere(holder)
      ? `${directory} is in use on the host ${holder.host}. Stop the channel there; if it was killed, remove ${path}.`
      : `${directory} is in use by process ${holder.pid}. Stop it first, or give this one a folder of its own (CHANNEL_DATA_DIR).`,
  );
}

/** The holder in the lock file; undefined if it is not a lock file, null if there is no file. */
async function readHolder(path: string): Promise<Holder | undefined | null> {
  try {
    return Holder.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

async function isAlive(path: string, holder: Holder): Promise<boolean> {
  if (isElsewhere(holder)) return true;
  if (holder.socket === undefined) return holder.pid !== process.pid && isProcess(holder.pid);
  const connection = connect(socketPath(path, holder.socket));
  try {
    await once(connection, "connect");
    return true;
  } catch (error) {
    // Any other error, such as EACCES of another user's socket, comes from one that exists.
    return !["ECONNREFUSED", "ENOENT"].includes(errorCode(error) ?? "");
  } finally {
    connection.destroy();
  }
}

/** Whether nobody here can tell if the holder is alive. */
function isElsewhere({ host, kernel, socket }: Holder): boolean {
  if (host === undefined || host === hostname()) return false;
  return kernel === "" || kernel !== kernelId() || !isBeside(socket);
}

function isBeside(socket: string | undefined): socket is string {
  return socket !== undefined && socket === basename(socket);
}

function kernelId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Not Linux: only the host's name tells.
    return "";
  }
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCode(error) === "EPERM";
  }
}
