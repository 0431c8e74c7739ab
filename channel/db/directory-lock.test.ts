/** One process at a time in a PGlite folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockDirectory, requireNoEarlierVersion } from "./directory-lock.ts";

async function folder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "shop-chat-lock-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, "channel");
}

/** A process that locks the folder, says whether it could, and keeps what it has until the test kills it. */
async function locker(
  directory: string,
  prefix: string[] = [],
): Promise<{ child: ChildProcess; said: string }> {
  const module = new URL("./directory-lock.ts", import.meta.url).href;
  const script = `const { lockDirectory } = await import(${JSON.stringify(module)});
    try {
      globalThis.unlock = lockDirectory(${JSON.stringify(directory)});
      console.log("locked");
    } catch (error) {
      console.log(error.message);
    }
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

test("a second process gets the lock only after the first has released it", async () => {
  const directory = await folder();
  const unlock = lockDirectory(directory);
  expect(() => lockDirectory(`${directory}/`)).toThrow("is in use by another channel");
  expect((await locker(directory, asContainer)).said).toContain("is in use by another channel");
  unlock();
  expect((await locker(directory, asContainer)).said).toBe("locked");
});

test("a suspended process keeps its lock, and of many starts one gets a killed process's", async () => {
  const directory = await folder();
  const { child } = await locker(directory);
  child.kill("SIGSTOP");
  const holder = process.platform === "linux" ? ` (process ${child.pid})` : "";
  expect(() => lockDirectory(directory)).toThrow(`is in use by another channel${holder}.`);
  child.kill("SIGKILL");
  await once(child, "exit");
  const starts = await Promise.all(Array.from({ length: 4 }, () => locker(directory)));
  expect(starts.filter(({ said }) => said === "locked")).toHaveLength(1);
});

test("names a lock that cannot be written, and the variables of its folder", async () => {
  const directory = join(await folder(), "missing");
  expect(() => lockDirectory(directory)).toThrow(/cannot be locked: .* CHANNEL_DATA_DIR\.$/);
});

test("leaves a running channel of an earlier version its folder, not one that was killed", async () => {
  const directory = await folder();
  await requireNoEarlierVersion(directory);
  await writeFile(`${directory}.lock`, JSON.stringify({ pid: 4711, host: "", socket: "channel-1.sock" }));
  await requireNoEarlierVersion(directory);
  const holder = createServer((connection) => connection.destroy());
  onTestFinished(() => void holder.close());
  await once(holder.listen(join(directory, "..", "channel-1.sock")), "listening");
  await expect(requireNoEarlierVersion(`${directory}/`)).rejects.toThrow("earlier version (process 4711)");
});
