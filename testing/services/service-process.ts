/** Throwaway services on free ports that tests need beside the channel (PostgreSQL, Redis). */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const startTimeout = 30_000;

/** PostgreSQL refuses to run as root, so root starts it as another user. */
export interface ServiceUser {
  uid?: number;
  gid?: number;
}

export function serviceUser(): ServiceUser {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) =>
        Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch (error) {
      // `id` fails when the user does not exist.
      if (!(error instanceof Error && "status" in error)) throw error;
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as.",
  );
}

/** A temporary folder that the user can write to. */
export function serviceFolder({ uid, gid }: ServiceUser): string {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-services-"));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** Starts a program in its folder and resolves when it listens. */
export async function startService(
  program: string,
  args: readonly string[],
  { folder, user, port }: { folder: string; user: ServiceUser; port: number },
): Promise<ChildProcess> {
  const child = spawn(program, args, { ...user, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  // Otherwise the service would outlive a test process that fails.
  const end = () => void child.kill("SIGQUIT");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  const deadline = Date.now() + startTimeout;
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`${program} ended with ${child.exitCode} before it was ready.`);
    if (await accepts(port)) return child;
    await pause(50);
  }
  child.kill("SIGKILL");
  throw new Error(`${program} did not listen on port ${port} within ${startTimeout / 1000} s.`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => socket.end(() => resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

export async function endService(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}
