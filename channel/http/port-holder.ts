import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * The PID of a process that listens at a port, on whichever address: another may listen at the same port of
 * another one. Undefined if `/proc` does not show it, as outside Linux.
 */
export function portHolder(port: number): string | undefined {
  const sockets = new Set(["tcp", "tcp6"].flatMap((table) => listeningSockets(`/proc/net/${table}`, port)));
  if (sockets.size === 0) return undefined;
  return entries("/proc").find(
    (pid) => /^\d+$/.test(pid) && entries(`/proc/${pid}/fd`).some((fd) => sockets.has(target(pid, fd))),
  );
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
const target = (pid: string, fd: string): string => readable(() => readlinkSync(`/proc/${pid}/fd/${fd}`), "");

/** Reads from `/proc`: other systems have none, other users' processes are private, and processes end. */
export function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
