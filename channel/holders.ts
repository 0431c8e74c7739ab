/** Names the process that holds a port or a file. Undefined where `/proc` does not show it. */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";

/**
 * The PID of a process that listens at a port, on whichever address: another may listen at the same port of
 * another one.
 */
export function portHolder(port: number): string | undefined {
  const sockets = ["tcp", "tcp6"].flatMap((table) => listeningSockets(`/proc/net/${table}`, port));
  return sockets.length === 0 ? undefined : processWith(sockets);
}

/** The PID of another process that has opened the file. */
export function fileHolder(path: string): string | undefined {
  return processWith([path, readable(() => realpathSync(path), path)]);
}

function processWith(descriptors: readonly string[]): string | undefined {
  const target = (pid: string, fd: string) => readable(() => readlinkSync(`/proc/${pid}/fd/${fd}`), "");
  return entries("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .find((pid) => entries(`/proc/${pid}/fd`).some((fd) => descriptors.includes(target(pid, fd))));
}

/** A row has a number, the local address and port in hexadecimal, the remote ones, the state, …, an inode. */
function listeningSockets(table: string, port: number): string[] {
  return readable(() => readFileSync(table, "utf8"), "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local = "", , state]) => state === "0A" && Number.parseInt(local.split(":")[1] ?? "", 16) === port,
    )
    .map((fields) => `socket:[${fields[9]}]`);
}

const entries = (folder: string): string[] => readable(() => readdirSync(folder), []);

/** Reads from `/proc`: other systems have none, other users' processes are private, and processes end. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
