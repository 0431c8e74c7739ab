/**
 * `npm run bench -- channel-package [turns]` packs the channel, installs it in an empty folder and measures
 * the command on PGlite: the installed size, the time until it is ready and its memory, in an empty folder
 * and in one with data, and its memory after streamed turns of the sandbox agent (default 500).
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../scripts/root.ts";
import { freePort, Program } from "../testing/processes/program.ts";
import { load, memoryOf } from "./support/machine.ts";
import { channelKey, chatKey, openSenders, sendOne } from "./support/turn-load.ts";

const turns = Number(process.argv[2] ?? "500");
const senders = 10;
const megabytes = (kibibytes: number) => `${Math.round((kibibytes * 1024) / 1e6)} MB`;

const folder = mkdtempSync(join(tmpdir(), "shop-chat-bench-package-"));
const program = join(folder, "node_modules", ".bin", "shop-chat-channel");
try {
  install();
  for (const start of ["in an empty folder", "in a folder with data"]) await measure(start);
} finally {
  rmSync(folder, { recursive: true });
}

function install(): void {
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  run(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/package-channel.ts"], root);
  mkdirSync(join(folder, "node_modules"));
  run(
    "npm",
    ["install", "--no-package-lock", "--silent", join(root, "dist", "shop-chat-channel.tgz")],
    folder,
  );
  const [size] = execFileSync("du", ["-sk", "node_modules"], { cwd: folder, encoding: "utf8" }).split("\t");
  console.log(`installed: ${megabytes(Number(size))}`);
}

async function measure(start: string): Promise<void> {
  const port = await freePort();
  const begin = performance.now();
  const channel = await Program.start({
    name: "shop-chat-channel",
    program,
    args: ["--port", String(port), "--lab", "--pace", "0"],
    cwd: folder,
    healthUrl: `http://127.0.0.1:${port}/healthz`,
    env: {
      NODE_ENV: "production",
      // The interpreter line of the command finds Node there.
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      NODE_COMPILE_CACHE: join(folder, "cache"),
      CHAT_CHANNEL_KEY: channelKey,
      CHAT_KEY: chatKey,
    },
  });
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  const ready = memoryOf(channel.pid);
  console.log(
    `${start}: ready in ${seconds} s, ${megabytes(ready.now)}, peak before ${megabytes(ready.peak)} (load ${load().toFixed(1)})`,
  );
  const turnsBegin = performance.now();
  const chats = await openSenders(port, senders);
  await Promise.all(
    chats.map(async (chat) => {
      for (let turn = 0; turn < turns / senders; turn += 1) await sendOne(chat);
    }),
  );
  const took = ((performance.now() - turnsBegin) / 1_000).toFixed(1);
  const { now, peak } = memoryOf(channel.pid);
  for (const { wire } of chats) wire.close();
  console.log(`  after ${turns} turns in ${took} s: ${megabytes(now)}, peak ${megabytes(peak)}`);
  await channel.stop();
}
