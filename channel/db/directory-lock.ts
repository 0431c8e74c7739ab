/**
 * Keeps a second process out of a PGlite folder: PGlite itself lets it in, and both lose what the other wrote. The lock
 * is a file beside the folder that names its holder. Only the lock of a process that is gone is taken over; that a
 * process is silent proves nothing.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const takeoverPause = 50;

interface Holder {
  pid: number;
  /** When the process was started, as the system tells it: a PID comes back, the two together do not. */
  startedAt: string;
}

/** @returns what gives the lock back. Rejects when another process that is alive has it. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = `${directory.replace(/\/+$/, "")}.lock`;
  const own: Holder = { pid: process.pid, startedAt: startOf(process.pid) ?? "" };
  // Linked into place when it is complete: a lock file can be read whole or not at all.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!(await linked(draft, path))) {
      await requireDead(path, directory);
      // One at a time takes over: a second one would remove the lock that the first has just got.
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
    throw new Error(
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

/** Undefined: the file is not there any more, or is not one of ours. */
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

/** Undefined: there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  try {
    // Linux: the 22nd value, of which the second is a name in parentheses that may hold anything.
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ")[19] ?? "";
  } catch {
    return startByPs(pid);
  }
}

function startByPs(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    // Neither /proc nor `ps`: that the PID is in use has to do.
    return "";
  }
}
