/** One process at a time in a PGlite folder. */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { lockDirectory } from "./directory-lock.ts";

async function folder(name = "channel"): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "shop-chat-lock-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, name);
}

type Locker = ChildProcessByStdio<Writable, Readable, null>;

/** A process that locks the folder, says whether it could, and keeps what it has until the test kills it. */
async function locker(
  directory: string,
  prefix: string[] = [],
  isNobody = false,
): Promise<{ child: Locker; said: string }> {
  const module = new URL("./directory-lock.ts", import.meta.url).href;
  const script = `const { lockDirectory } = await import(${JSON.stringify(module)});
    process.getuid?.() === 0 && ${JSON.stringify(isNobody)} && process.setuid?.(65_534);
    const said = await lockDirectory(${JSON.stringify(directory)}).then(() => "locked", (error) => error.message);
    console.log(process.pid, said);
    process.stdin.resume();`;
  const [program = "", ...args] = [...prefix, process.execPath, "--input-type=module", "--eval", script];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [data] = await once(child.stdout, "data");
  return { child, said: String(data).trim() };
}

/** Where it may, starts the program as process 1, as a container does. */
const contained = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const asContainer = spawnSync("unshare", [...contained.slice(1), "true"]).status === 0 ? contained : [];

async function kill({ child }: { child: Locker }): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("a second process gets the lock only after the first has released it", async () => {
  const directory = await folder();
  const unlock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`);
  await unlock();
  const again = await lockDirectory(`${directory}/`);
  await again();
  expect(await readdir(join(directory, ".."))).toEqual([]);
});

test("refuses a second container on the folder, though each process has the number 1", async () => {
  const directory = await folder();
  const first = await locker(directory, asContainer);
  const second = await locker(directory, asContainer);
  expect(first.said).toMatch(/^\d+ locked$/);
  expect(second.said).toContain("is in use by process");
});

test("a suspended process keeps its lock", async () => {
  const directory = await folder();
  const { child } = await locker(directory);
  child.kill("SIGSTOP");
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${child.pid}`);
});

test("takes over a killed process's lock and leaves none of its files", async () => {
  const directory = await folder();
  await kill(await locker(directory));
  const unlock = await lockDirectory(directory);
  await unlock();
  expect(await readdir(join(directory, ".."))).toEqual([]);
});

test("says that the lock beside the folder cannot be written", async () => {
  const directory = await folder();
  await chmod(join(directory, ".."), 0o555);
  const { said } = await locker(directory, [], true);
  expect(said).toContain(`The data folder ${join(directory, "..")} cannot be used (EACCES)`);
});

test("locks a folder whose path is too long for a socket", async () => {
  const directory = await folder("long".repeat(40));
  await mkdir(directory);
  const first = await locker(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${first.child.pid}`);
  await kill(first);
  const unlock = await lockDirectory(directory);
  await unlock();
});

test("refuses a lock of another host, which it cannot ask, and says how to go on", async () => {
  const directory = await folder();
  const lock = `${directory}.lock`;
  for (const socket of ["gone.sock", join(tmpdir(), "gone.sock")]) {
    await writeFile(lock, JSON.stringify({ pid: 1, host: `not-${hostname()}`, kernel: "another", socket }));
    const refusal = `in use on the host not-${hostname()}. Stop the channel there; if it was killed, remove ${lock}.`;
    await expect(lockDirectory(directory)).rejects.toThrow(refusal);
  }
});

test("leaves a running process of an earlier version its lock, which names no socket", async () => {
  const directory = await folder();
  const lock = `${directory}.lock`;
  const child = spawn(process.execPath, ["--eval", "setInterval(() => undefined, 1000)"]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child, "spawn");
  await writeFile(lock, JSON.stringify({ pid: child.pid, startedAt: "1" }));
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  const unlock = await lockDirectory(directory);
  expect(JSON.parse(await readFile(lock, "utf8"))).toMatchObject({ pid: process.pid, host: hostname() });
  await unlock();
});

test("replaces a file that is not a valid lock", async () => {
  const directory = await folder();
  for (const content of ["", "nonsense", "{}", '{"pid":"1"}']) {
    await writeFile(`${directory}.lock`, content);
    const unlock = await lockDirectory(directory);
    await unlock();
  }
});

// Not each round interleaves in the way that once gave the lock to two.
test("only one of many that start at once takes over a dead process's lock", async () => {
  const directory = await folder();
  const dead = { pid: 1, host: hostname(), kernel: "", socket: "gone.sock" };
  for (let round = 0; round < 200; round += 1) {
    await writeFile(`${directory}.lock`, JSON.stringify(dead));
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => lockDirectory(directory)));
    const locks = answers.filter((answer) => answer.status === "fulfilled");
    expect(locks, `round ${round}`).toHaveLength(1);
    await locks[0]?.value();
  }
}, 60_000);
