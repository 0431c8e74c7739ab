/**
 * Keeps a second process out of a PGlite folder: PGlite would let it in, and each would lose the other's
 * writes. The lock is a file beside the folder that names its holder. It is taken over only when that process
 * no longer exists or the file is not a valid lock; a silent process may still be alive.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "../start-error.ts";

const takeoverPause = 50;

export class DirectoryInUse extends StartError {
  override name = "DirectoryInUse";
}

interface Holder {
  pid: number;
  /**
   * When the process started, as the system reports it. PIDs are reused; PID and start time together are not.
   */
  startedAt: string;
}

/**
 * @returns a function that releases the lock
 * @throws DirectoryInUse while another live process holds it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = `${directory.replace(/\/+$/, "")}.lock`;
  const own: Holder = { pid: process.pid, startedAt: startOf(process.pid) ?? "" };
  // Linked into place once complete, so that readers see a whole lock file or none.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!(await linked(draft, path))) {
      await requireDead(path, directory);
      // Only one process may take over: a second one would remove the lock that the first has just acquired.
      const guard = `${path}.takeover`;
      if (await linked(draft, guard)) {
        try {
          await requireDead(path, directory);
          await rm(path, { force: true });
        } finally {
          await rm(guard, { force: true });
        }
      } else {
        const other = await readHolder(guard);
        if (other !== undefined && !isAlive(other)) await rm(guard, { force: true });
        await pause(takeoverPause);
      }
    }
  } finally {
    await rm(draft, { force: true });
  }
  return () => rm(path, { force: true });
}

async function requireDead(path: string, directory: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder !== undefined && isAlive(holder)) {
    throw new DirectoryInUse(
      `${directory} is in use by process ${holder.pid}. Stop it first, or give this one a folder of its own (CHANNEL_DATA_DIR).`,
    );
  }
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** The holder in the lock file; undefined if there is no file or it is not a lock file. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value !== "object" || value === null || !("pid" in value) || !("startedAt" in value))
      return undefined;
    const { pid, startedAt } = value;
    return typeof pid === "number" && typeof startedAt === "string" ? { pid, startedAt } : undefined;
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && "code" in error && error.code === "ENOENT")
    )
      return undefined;
    throw error;
  }
}

function isAlive(holder: Holder): boolean {
  const startedAt = startOf(holder.pid);
  return startedAt !== undefined && (holder.startedAt === "" || startedAt === holder.startedAt);
}

/** When the process started, as in `Holder`; undefined if there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  try {
    // Linux: field 22. Field 2 is a name in parentheses and may contain anything.
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ")[19] ?? "";
  } catch {
    return startByPs(pid);
  }
}

function startByPs(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    // Without /proc and `ps`, only the PID identifies the process.
    return "";
  }
}
