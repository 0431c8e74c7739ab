import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { newChannelFolder } from "../../testing/processes/channel-folder.ts";
import { root } from "../root.ts";

/** Starts the program and returns what it prints until it ends with exit code 1. */
export async function failedStart(
  env: Record<string, string>,
  args = [join(root, "channel", "main.ts")],
  executable = process.execPath,
): Promise<string> {
  const port = await freePort();
  const program = new Program({
    name: "the channel",
    program: executable,
    args,
    healthUrl: `http://127.0.0.1:${port}/healthz`,
    env: { NODE_ENV: "test", CHANNEL_PORT: String(port), ...env },
    onEnd: () => undefined,
  });
  onTestFinished(() => program.stop("SIGKILL"));
  expect(await program.ended).toBe(1);
  expect(program.output()).not.toMatch(/\n {4}at |^The channel cannot start\. \w*Error:/m);
  return program.output();
}

/** A data folder with an empty database, until the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await newChannelFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
