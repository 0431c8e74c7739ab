/** The demo's channel, by the environment and the data folder of `npm run dev`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Lab, LabError } from "../../testing/lab/lab-client.ts";
import { addresses, dataDir, wantsEmbeddedChannel } from "../launcher/environment.ts";
import type { SeedContext } from "./seed.ts";

/** The demo is not ready for seeds. The message contains the remedy. */
export class NotReadyError extends Error {
  override name = "NotReadyError";
}

const startIt = "Start the demo in another terminal with: CHANNEL_LAB=1 npm run dev";

/** @throws NotReadyError */
export async function connect(env: NodeJS.ProcessEnv): Promise<SeedContext> {
  if (!wantsEmbeddedChannel(env)) {
    throw new NotReadyError(
      "CHAT_BASE_URL names a channel elsewhere. Seeded chats are for the embedded one: leave it out.",
    );
  }
  const { shop, channel } = addresses(env);
  await requireChannel(channel);
  const teamKey = keyOf(env, "CHANNEL_TEAM_KEY", "team-key");
  const lab = new Lab({ channelUrl: channel, teamKey });
  const now = await lab.now().catch((error: unknown) => {
    throw error instanceof LabError ? refused(error, channel) : error;
  });
  return { lab, now, shopOrigin: env["CHANNEL_SHOP_ORIGIN"] || shop };
}

async function requireChannel(address: string): Promise<void> {
  try {
    await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5_000) });
  } catch (cause) {
    throw new NotReadyError(`No channel answers at ${address}. ${startIt}`, { cause });
  }
}

function keyOf(env: NodeJS.ProcessEnv, variable: string, file: string): string {
  const value = env[variable];
  if (value) return value;
  const path = join(dataDir(env), file);
  if (!existsSync(path))
    throw new NotReadyError(`${variable} is not set and ${path} is not there. ${startIt}`);
  return readFileSync(path, "utf8").trim();
}

function refused(error: LabError, address: string): Error {
  if (error.status === 404)
    return new NotReadyError(
      `The channel at ${address} runs without its lab. Stop the demo, then: CHANNEL_LAB=1 npm run dev (or CHANNEL_LAB=1 in .env.local).`,
    );
  if (error.status === 401)
    return new NotReadyError(
      `The channel at ${address} does not accept the team key. It belongs to another data folder: set CHANNEL_DATA_DIR, or CHANNEL_TEAM_KEY.`,
    );
  return error;
}
