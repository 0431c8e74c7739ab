/** The channel as a process: where it starts, and beside another one. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../processes/free-port.ts";
import { Program, type ProgramOptions } from "../processes/program.ts";
import { root } from "./root.ts";
import { ChannelProcess, newHome, type ProcessHome } from "./testing/channel-process.ts";

const main = join(root, "channel", "main.ts");

function options({ dataDir, databaseUrl }: ProcessHome, port: number): ProgramOptions {
  return {
    name: "the channel",
    args: [main],
    healthUrl: `http://127.0.0.1:${port}/healthz`,
    env: {
      NODE_ENV: "test",
      CHANNEL_PORT: String(port),
      CHANNEL_DATA_DIR: dataDir,
      CHANNEL_DATABASE_URL: databaseUrl,
    },
  };
}

test("starts in another folder and leaves nothing there", async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), "elsewhere-"));
  onTestFinished(() => rm(elsewhere, { recursive: true }));
  const program = await Program.start({ ...options(await newHome(), await freePort()), cwd: elsewhere });
  await program.stop();
  expect(await readdir(elsewhere)).toEqual([]);
});

test("names the port and its variable when another program uses it", async () => {
  const port = await freePort();
  await ChannelProcess.start(await newHome(), { port });
  const second = new Program({ ...options(await newHome(), port), onEnd: () => undefined });
  onTestFinished(() => second.stop("SIGKILL"));
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`Port ${port} is in use by another channel`);
  expect(second.output()).toMatch(/set CHANNEL_PORT( \(--port\))? to another port/);
  expect(second.output()).not.toMatch(/EADDRINUSE|\n {4}at /);
});

test("takes over the port and the data of a channel that stops", async () => {
  const home = await newHome();
  const port = await freePort();
  const first = await ChannelProcess.start(home, { port });
  const chatId = await first.createChat();
  await first.lab.reply({ text: "One two three", holdsAfter: 1 }, chatId);
  const response = await first.request(`/chats/${chatId}/messages`, {
    body: JSON.stringify({ text: "Hello" }),
    headers: { accept: "text/event-stream" },
  });
  const rest = response.text();
  // Keeps the port while the reply is running.
  first.signal("SIGTERM");
  await expect.poll(async () => (await fetch(`${first.url}/healthz`)).status).toBe(503);
  const second = await ChannelProcess.start(home, { port });
  expect(await first.ended).toBe(0);
  expect(await rest).toContain("service_unavailable");
  expect((await second.listed(chatId)).map(({ role }) => role)).toEqual(["visitor"]);
});
