import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";

test("exits after the log's reader has gone away", async () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = createLog("info");
    log.info("ready");
    process.stdin.once("end", () => {
      for (let line = 0; line < 3; line += 1) log.info({ line }, "stopping");
      process.exit(0);
    }).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});
