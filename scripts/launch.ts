/**
 * `npm run dev`, `npm start`: runs the shop, and the embedded channel unless a live one is named, until a
 * signal or an exit.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { clientHeader } from "#lib/bff/http/same-origin.ts";
import { defaultBasePath } from "#lib/chat-api/base-path.ts";
import {
  addresses,
  channelEnvironment,
  nextArguments,
  settingsOrExit,
  shopEnvironment,
  strayKeys,
  wantsEmbeddedChannel,
  wantsTeammate,
} from "../processes/environment.ts";
import { requireFreePort } from "../processes/free-port.ts";
import { Program, type ProgramOptions } from "../processes/program.ts";
import { requireBuild } from "./require-build.ts";

/** Time for open streams to end. */
const stopTime = 15_000;

/** A killed channel, as by the demo's "Pull the plug", is gone for this time and for that of its start. */
const killedTime = 7_000;

interface LaunchOptions extends ProgramOptions {
  /** Starts the program again after a SIGKILL, rather than stopping all. */
  restarts?: boolean;
}

/** The development server compiles a route at its first request, for which the first message would wait. */
async function compileChat(local: string, origin: string): Promise<void> {
  const headers = { origin, "content-type": "application/json", [clientHeader]: "1" };
  const response = await fetch(`${local}${defaultBasePath}/session`, { method: "POST", headers, body: "{}" });
  await response.body?.cancel();
}

async function launch(command: "dev" | "start"): Promise<void> {
  if (command === "start") requireBuild();
  const settings = settingsOrExit();
  const { shop, local, channel, host, port, channelListens } = addresses(settings);
  /** The running programs in the order of their first starts. */
  const programs = new Map<string, Program>();

  let stopping = false;
  const stopAll = async (code: number): Promise<never> => {
    stopping = true;
    // Stops the shop first, while the channel can still finish the replies of its open streams.
    for (const program of [...programs.values()].toReversed()) await program.stop("SIGTERM", stopTime);
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void stopAll(0));
  }
  const start = async ({ restarts = false, ...options }: LaunchOptions): Promise<void> => {
    const { name, healthUrl } = options;
    const onEnd = (how: NodeJS.Signals | number) => {
      if (stopping) return;
      if (restarts && how === "SIGKILL") return void startAgain(options);
      console.error(`${name} ended (${how}).`);
      void stopAll(typeof how === "number" && how > 0 ? how : 1);
    };
    const program = new Program({ stdout: "inherit", stderr: "inherit", onEnd, ...options });
    programs.set(name, program);
    if (healthUrl !== undefined && !(await program.untilReady()))
      throw new Error(`${name} ended before it was ready (see its output above).`);
  };
  const startAgain = async (options: ProgramOptions): Promise<void> => {
    console.warn(`${options.name} was killed. It starts again in ${killedTime / 1_000} s.`);
    await pause(killedTime);
    if (stopping) return;
    await start({ ...options, restarts: true }).catch((error) => {
      console.error(error);
      return stopAll(1);
    });
  };

  try {
    const embedded = wantsEmbeddedChannel(settings);
    // Another program at the port would answer in place of ours.
    await requireFreePort({ host, port }, "PORT");
    if (embedded) await requireFreePort(channelListens, "CHANNEL_PORT");
    const token = randomBytes(32).toString("base64url");
    if (embedded)
      await start({
        name: "The channel",
        restarts: true,
        args: ["channel/main.ts"],
        env: { ...channelEnvironment(settings), CHANNEL_CONSOLE_TOKEN: token },
        healthUrl: `${channel}/healthz`,
        stdout: settings["CHANNEL_LOG"] === "1" ? "inherit" : "ignore",
      });
    if (embedded && wantsTeammate(settings))
      await start({ name: "The automatic teammate", args: ["scripts/teammate.ts"], env: settings });
    const env = { NEXT_TELEMETRY_DISABLED: "1", ...(await shopEnvironment(command, settings)) };
    await start({
      name: "The shop",
      args: nextArguments(command, { host, port }),
      env,
      healthUrl: `${local}/`,
      startTimeout: 120_000,
    });
    if (command === "dev") await compileChat(local, shop);
    const beside = embedded
      ? `channel ${channel} (team inbox ${channel}/console?token=${token})`
      : `channel ${settings["CHAT_BASE_URL"]}`;
    console.log(`\nShop Chat is ready: ${shop} · ${beside}\n`);
    const stray = strayKeys(settings);
    if (stray !== undefined) console.warn(`${stray}\n`);
  } catch (error) {
    if (!stopping) {
      console.error(error instanceof Error ? error.message : error);
      await stopAll(1);
    }
  }
}

await launch(process.argv[2] === "dev" ? "dev" : "start");
