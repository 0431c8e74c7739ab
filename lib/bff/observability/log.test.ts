import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createLog, logConsole } from "./log.ts";

test("logs console output as one line without secrets and control characters", () => {
  const { error, warn } = console;
  onTestFinished(() => void Object.assign(console, { error, warn }));
  const lines: string[] = [];
  logConsole(
    createLog({
      level: "info",
      secrets: ["ck_secret"],
      destination: { write: (line) => void lines.push(line) },
    }),
  );
  const library = console;
  library.error(new Error("at /\u009b2Jx\u061c\u202e ck_secret"));
  library.warn("Request of %s", "/\u001b[31mx\r\n{}");
  expect(lines.map((line) => line.split("\n").length)).toEqual([2, 2]);
  expect(lines.join("").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]|ck_secret/u);
  const [failed, warned] = lines.map((line) => JSON.parse(line));
  expect(failed).toMatchObject({ level: "error", event: "console" });
  expect(failed.msg).toMatch(/^Error: at \/\u009b2Jx/);
  expect(failed.msg).toContain("log.test.ts");
  expect(warned).toMatchObject({ level: "warn", event: "console", msg: "Request of /\u001b[31mx\r\n{}" });
});

test.each(["process.exit(3)", 'throw new Error("fatal")', "undefined"])(
  "loses no line when the process ends by %s",
  (end) => {
    const program = `
      import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
      const log = createLog({ level: "info", secrets: ["ck_secret"] });
      for (let line = 0; line < 2_000; line += 1) log.info({ event: "request", line, key: "ck_secret" });
      ${end};`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 2_000 }, (_, at) => at));
    expect(stdout).not.toContain("ck_secret");
  },
);

test("exits after the log's reader has gone away", async () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = createLog({ level: "info", secrets: [] });
    log.error({ event: "unexpected_error" });
    process.stdin.once("end", () => {
      log.error({ event: "unexpected_error" });
      log.info({ event: "stopped" });
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

test("writes an error at once, after the lines before it", async () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = createLog({ level: "info", secrets: [] });
    log.info({ event: "request" });
    log.error({ event: "unexpected_error" });
    process.kill(process.pid, "SIGKILL");`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).event),
  ).toEqual(["request", "unexpected_error"]);
});
