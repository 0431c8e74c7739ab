/** The launchers as npm runs them: their ports, what they have done once they say "ready", and their end. */
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readKey } from "../channel/stored-key.ts";
import { freePort } from "../processes/free-port.ts";
import { Program } from "../processes/program.ts";
import { listenLocally } from "../testing/local-server.ts";
import { newChannelFolder } from "../testing/processes/channel-folder.ts";
import { hideSettingsFiles } from "../testing/processes/settings-files.ts";

/** A program that answers every request, as another shop or channel would. */
async function occupiedPort(): Promise<number> {
  const server = createServer((_, response) => void response.end("{}"));
  onTestFinished(() => void server.close());
  return listenLocally(server);
}

test.each([
  ["launch.ts dev", "PORT"],
  ["launch.ts dev", "CHANNEL_PORT"],
  ["bff.ts", "PORT"],
])("%s names %s when its port is in use, and starts nothing", async (script, variable) => {
  const [port, occupied] = [await freePort(), await occupiedPort()];
  const program = new Program({
    name: script,
    args: `scripts/${script}`.split(" "),
    env: {
      NODE_ENV: "test",
      PORT: String(port),
      CHANNEL_PORT: String(port),
      [variable]: String(occupied),
      ...(script === "bff.ts" && {
        CHAT_BASE_URL: "https://chat.example",
        CHAT_CHANNEL_KEY: "dep_launch_test",
        CHAT_KEY: "ck_launch_test",
        SESSION_SECRET: "a secret of at least thirty-two characters",
      }),
      CHANNEL_DATA_DIR: join(import.meta.dirname, "never-made"),
    },
    onEnd: () => undefined,
  });
  onTestFinished(() => program.stop("SIGKILL"));
  expect(await program.ended).toBe(1);
  const holder = process.platform === "linux" ? `, perhaps by process ${process.pid}` : "";
  expect(program.output()).toContain(`Port ${occupied} is in use${holder}: `);
  expect(program.output()).toContain(`set ${variable} to another port`);
  expect(program.output()).not.toMatch(/is ready|EADDRINUSE|\n {4}at /);
});

/** Runs a script of package.json with npm and its shell, on free ports, until it has printed the text. */
async function runByNpm(script: string, untilPrinted: string) {
  const folder = await newChannelFolder();
  const channelPort = await freePort();
  const program = new Program({
    name: script,
    program: "npm",
    args: ["run", script],
    isGroup: true,
    env: hideSettingsFiles({
      NODE_ENV: "development",
      // Next locks its build folder, and a running `next dev` may hold the default one.
      NEXT_DIST_DIR: ".next-launch-test",
      PORT: String(await freePort()),
      CHANNEL_PORT: String(channelPort),
      CHANNEL_DATA_DIR: folder,
      CHANNEL_AGENT: "sandbox",
    }),
    onEnd: () => undefined,
  });
  onTestFinished(async () => {
    // Even after npm has ended, when a program of its group has not.
    program.signal("SIGKILL");
    await program.ended;
    await rm(folder, { recursive: true });
  });
  await expect.poll(() => program.output(), { timeout: 100_000 }).toContain(untilPrinted);
  return { program, channelUrl: `http://127.0.0.1:${channelPort}`, folder };
}

/** A channel that its lab kills is gone, and started again. */
async function expectKilledToReturn(channelUrl: string, folder: string): Promise<void> {
  const authorization = `Bearer ${readKey(folder, "team-key")}`;
  const isUp = () =>
    fetch(`${channelUrl}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await fetch(`${channelUrl}/lab/kill`, { method: "POST", headers: { authorization } }).catch(
    () => undefined,
  );
  expect(await isUp()).toBe(false);
  await expect.poll(isUp).toBe(true);
}

test.each([
  ["dev", "Shop Chat is ready"],
  ["channel", '"msg":"ready"'],
])("SIGTERM to `npm run %s` ends all that it started", async (script, printed) => {
  const { program, channelUrl, folder } = await runByNpm(script, printed);
  // By itself `npm run dev` has opened a session, so that the chat's route is compiled.
  if (script === "dev") await expect.poll(() => program.output()).toContain("POST /api/chat/session 201");
  if (script === "dev") await expectKilledToReturn(channelUrl, folder);
  process.kill(program.pid, "SIGTERM");
  // Resolves once no process of its group holds the output.
  expect(await program.ended).toBe(0);
});
