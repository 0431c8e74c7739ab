/** One process at a time in a PGlite folder. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockDirectory } from "./directory-lock.ts";

async function folder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "shop-chat-lock-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, "channel");
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--eval", ""]);
  await new Promise((resolve) => child.once("exit", resolve));
  return child.pid ?? 0;
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

test("takes over a dead process's lock", async () => {
  const directory = await folder();
  // Only the PID shows that the process is dead.
  await writeFile(`${directory}.lock`, JSON.stringify({ pid: await deadPid(), startedAt: "" }));
  const unlock = await lockDirectory(directory);
  expect(JSON.parse(await readFile(`${directory}.lock`, "utf8"))).toMatchObject({ pid: process.pid });
  await unlock();
});

test("recognises a reused PID by the process's start time", async () => {
  const directory = await folder();
  const lock = `${directory}.lock`;
  const unlockOwn = await lockDirectory(directory);
  const own: unknown = JSON.parse(await readFile(lock, "utf8"));
  await unlockOwn();
  expect(own).toEqual({ pid: process.pid, startedAt: expect.stringMatching(/./) });
  for (const holder of [own, { pid: process.pid, startedAt: "" }]) {
    await writeFile(lock, JSON.stringify(holder));
    await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`);
  }
  await writeFile(lock, JSON.stringify({ pid: process.pid, startedAt: "long ago" }));
  const unlock = await lockDirectory(directory);
  expect(JSON.parse(await readFile(lock, "utf8"))).toEqual(own);
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

test("only one of many processes takes over a dead process's lock", async () => {
  const directory = await folder();
  await writeFile(`${directory}.lock`, JSON.stringify({ pid: await deadPid(), startedAt: "1" }));
  const module = new URL("./directory-lock.ts", import.meta.url).href;
  // Each process lives until the test kills it, so that the winner's lock stays valid.
  const script = `const { lockDirectory } = await import(${JSON.stringify(module)});
    try { await lockDirectory(${JSON.stringify(directory)}); console.log("got it"); } catch { console.log("refused"); }
    process.stdin.resume();`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", script]),
  );
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  const answers = await Promise.all(
    children.map(
      (child) =>
        new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(`${data}`.trim()))),
    ),
  );
  expect(answers.toSorted()).toEqual(["got it", "refused", "refused", "refused"]);
}, 60_000);
