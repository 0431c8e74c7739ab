/** #128: one process at a time in a PGlite folder. */
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

test("a second holder is refused while the first is alive, and let in after it", async () => {
  const directory = await folder();
  const unlock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`);
  await unlock();
  const again = await lockDirectory(`${directory}/`);
  await again();
  expect(await readdir(join(directory, ".."))).toEqual([]);
});

test("the lock of a dead process is taken over", async () => {
  const directory = await folder();
  await writeFile(`${directory}.lock`, JSON.stringify({ pid: await deadPid(), startedAt: "1" }));
  const unlock = await lockDirectory(directory);
  expect(JSON.parse(await readFile(`${directory}.lock`, "utf8"))).toMatchObject({ pid: process.pid });
  await unlock();
});

test("a PID that now belongs to another process does not keep the lock", async () => {
  const directory = await folder();
  await writeFile(`${directory}.lock`, JSON.stringify({ pid: process.pid, startedAt: "long ago" }));
  const unlock = await lockDirectory(directory);
  await unlock();
});

test("what is no lock of ours is replaced", async () => {
  const directory = await folder();
  for (const content of ["", "nonsense", "{}", '{"pid":"1"}']) {
    await writeFile(`${directory}.lock`, content);
    const unlock = await lockDirectory(directory);
    await unlock();
  }
});

test("of many that want a dead process's lock at once, one gets it", async () => {
  const directory = await folder();
  await writeFile(`${directory}.lock`, JSON.stringify({ pid: await deadPid(), startedAt: "1" }));
  const module = new URL("./directory-lock.ts", import.meta.url).href;
  // Each lives until it is told to end: the winner's lock is a living process's all the time.
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
