/** The launchers beside another program at one of their ports. */
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listenLocally } from "../../testing/local-server.ts";
import { freePort, Program } from "../../testing/processes/program.ts";

/** A program that answers every request, as another shop or channel would. */
async function occupiedPort(): Promise<number> {
  const server = createServer((_, response) => void response.end("{}"));
  onTestFinished(() => void server.close());
  return listenLocally(server);
}

test.each([
  ["scripts/dev.ts", "PORT"],
  ["scripts/dev.ts", "CHANNEL_PORT"],
  ["scripts/bff.ts", "PORT"],
])("%s names %s when its port is in use, and starts nothing", async (script, variable) => {
  const [port, occupied] = [await freePort(), await occupiedPort()];
  const program = new Program({
    name: script,
    args: [script],
    env: {
      NODE_ENV: "test",
      PORT: String(port),
      CHANNEL_PORT: String(port),
      [variable]: String(occupied),
      ...(script === "scripts/bff.ts" && {
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
  expect(program.output()).toContain(`Port ${occupied} is in use`);
  expect(program.output()).toContain(`set ${variable} to another port`);
  expect(program.output()).not.toMatch(/is ready|EADDRINUSE|\n {4}at /);
});
