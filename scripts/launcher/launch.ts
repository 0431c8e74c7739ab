/** Runs the shop, and the embedded channel unless a live one is named, until a signal or an exit. */
import { randomBytes } from "node:crypto";
import {
  addresses,
  LaunchedProgram,
  loadSettings,
  nextArguments,
  shopEnvironment,
  startChannel,
  strayKeys,
  wantsEmbeddedChannel,
  wantsTeammate,
} from "./environment.ts";
import { requireFreePort } from "./free-port.ts";

export async function launch(command: "dev" | "start"): Promise<never> {
  const settings = loadSettings();
  const { shop, local, channel, host, port, channelListens } = addresses(settings);
  const programs: LaunchedProgram[] = [];

  let stopping = false;
  const stopAll = async (code: number): Promise<never> => {
    stopping = true;
    // Stops the shop first, while the channel can still finish the replies of its open streams.
    for (const program of programs.toReversed()) await program.stop();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void stopAll(0));
  }
  const watch = (program: LaunchedProgram) => {
    programs.push(program);
    void program.exited.then((code) => {
      if (stopping) return;
      console.error(`${program.name} ended (exit code ${code}).`);
      return stopAll(code === 0 ? 1 : code);
    });
    return program;
  };

  try {
    const embedded = wantsEmbeddedChannel(settings);
    // Another program at the port would answer in place of ours.
    await requireFreePort({ host, port }, "PORT");
    if (embedded) await requireFreePort(channelListens, "CHANNEL_PORT");
    const token = randomBytes(32).toString("base64url");
    if (embedded)
      await watch(startChannel({ ...settings, CHANNEL_CONSOLE_TOKEN: token })).untilReady(
        `${channel}/healthz`,
      );
    if (embedded && wantsTeammate(settings))
      watch(new LaunchedProgram("The automatic teammate", ["scripts/teammate.ts"], settings));
    const env = { NEXT_TELEMETRY_DISABLED: "1", ...(await shopEnvironment(command, settings)) };
    const next = watch(new LaunchedProgram("The shop", nextArguments(command, env), env));
    await next.untilReady(`${local}/`, 120_000);
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
  return new Promise<never>(() => undefined);
}
