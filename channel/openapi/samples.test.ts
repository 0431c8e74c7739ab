/** The samples of the reference, run as they stand against a channel that was started as people start it. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { root } from "../root.ts";

const isHere = (program: string) => spawnSync(program, ["--version"]).error === undefined;
const missing = ["bash", "curl", "openssl"].filter((program) => !isHere(program));

/** Returns the output of a sample of the operation or the section. */
const prints: Record<string, RegExp> = {
  "Create a chat": /dep_/,
  "Get a chat": /agent/,
  "Send a message": /Echo: Do you deliver to Ireland\?/,
  "List messages": /nextCursor|Echo: Hello/,
  "Upload a file": /note\.txt/,
  "Download a file": /A note\./,
  "Get the collection": /version/,
  "Submit the collection": /too_small|damaged/,
  "Pass the chat to the team": /waiting/,
  "The turn stream": /start[\s\S]*delta[\s\S]*done/,
};

let page = "";

beforeAll(async () => {
  const [cwd, port] = [await mkdtemp(join(tmpdir(), "shop-chat samples-")), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const channel = await Program.start({
    name: "shop-chat-channel",
    args: [join(root, "channel", "bin.ts"), "--port", String(port), "--database", "memory://", "--pace", "0"],
    cwd,
    env: { NODE_ENV: "test" },
    healthUrl: `${url}/healthz`,
  });
  page = await (await fetch(`${url}/docs.md`)).text();
  return async () => {
    await channel.stop("SIGKILL");
    await rm(cwd, { recursive: true });
  };
}, 60_000);

const fence = /^```sh\n(.*?)^```$/gms;

for (const [heading, expected] of Object.entries(prints))
  test.skipIf(missing.length > 0)(`${heading}: runs as it stands`, { timeout: 60_000 }, () => {
    const section = page.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
    const [input, ...others] = Array.from(section.matchAll(fence), ([, source = ""]) => source);
    expect(others).toEqual([]);
    const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail"], { input, encoding: "utf8" });
    expect([stderr, status]).toEqual(["", 0]);
    expect(stdout).toMatch(expected);
    expect(stdout).not.toMatch(/"error":\{/);
  });
