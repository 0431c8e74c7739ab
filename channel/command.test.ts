/** The command, as people start it. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../processes/free-port.ts";
import { Program } from "../processes/program.ts";
import { root } from "./root.ts";
import { newFolder } from "./testing/channel-process.ts";

const bin = join(root, "channel", "bin.ts");
const env = { NODE_ENV: "test" } as const;

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shop-chat-command-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("starts in an empty folder and says where the keys and pages are", async () => {
  const [cwd, port] = [await emptyFolder(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    name: "shop-chat-channel",
    args: [bin, "--port", String(port), "--database", "memory://", "--lab"],
    cwd,
    env,
    healthUrl: `${url}/healthz`,
  });
  onTestFinished(() => program.stop("SIGKILL"));
  await expect.poll(() => program.output()).toContain(`${url}/docs`);
  expect(program.output()).toContain(join(cwd, ".data", "chat-key"));
  expect((await readdir(join(cwd, ".data"))).toSorted()).toEqual(["chat-key", "team-key"]);

  const args = [bin, "--port", String(port), "--wait"];
  const waiting = new Program({ name: "--wait", args, cwd, env, onEnd: () => undefined });
  expect(await waiting.ended).toBe(0);
});

test("names an unknown option and an unusable value", async () => {
  const cwd = await emptyFolder();
  const outputOf = async (...options: string[]) => {
    const args = [bin, ...options];
    const program = new Program({ name: "shop-chat-channel", args, cwd, env, onEnd: () => undefined });
    expect(await program.ended).toBe(1);
    return program.output();
  };
  expect(await outputOf("--prot", "1")).toBe(
    "The channel cannot start. Unknown option '--prot'. See --help.\n",
  );
  expect(await outputOf("--port", "a")).toContain("CHANNEL_PORT (--port): give a port");
  expect(await outputOf("--pace", "abc")).toContain("CHANNEL_AGENT_PACE (--pace): ");
  expect(await outputOf("--console", "ftp://x")).toContain("--console: give the channel's address");
  expect(await readdir(cwd)).toEqual([]);
});

const [elsewhere] = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ family, internal }) => family === "IPv4" && !internal);

/** Sends a request as another container would: it comes from an address that is not the loopback's. */
test.runIf(elsewhere)(
  "--lab=anywhere answers other machines with the team key, and no web page",
  async () => {
    const [data, port] = [await newFolder(), await freePort()];
    const url = `http://${elsewhere?.address}:${port}`;
    const teamKey = "tk_only_for_these_tests";
    const program = await Program.start({
      name: "shop-chat-channel",
      args: [bin, "--host", "0.0.0.0", "--port", String(port), "--data", data, "--lab=anywhere"],
      env: { ...env, CHANNEL_TEAM_KEY: teamKey },
      healthUrl: `${url}/healthz`,
    });
    onTestFinished(() => program.stop("SIGKILL"));
    const lab = (headers: Record<string, string>) =>
      fetch(`${url}/lab`, { headers }).then(({ status }) => status);
    const authorization = `Bearer ${teamKey}`;
    expect(await lab({ authorization })).toBe(200);
    expect(await lab({ authorization: "Bearer tk_of_somebody_else" })).toBe(401);
    expect(await lab({ authorization, origin: url })).toBe(403);
    expect(program.output()).toContain("the lab answers callers on other machines who have the team key");
  },
);
