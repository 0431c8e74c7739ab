/** The demo's channel, by the environment and the data folder of `npm run dev`. */
import { Lab, LabError } from "../../testing/lab/lab-client.ts";
import { addresses, teamKey, wantsEmbeddedChannel } from "../launcher/environment.ts";
import type { SeedContext } from "./seed.ts";

/** Remedies by the status of the channel's answer. */
const remedies: Readonly<Record<number, string>> = {
  404: "runs without its lab. Stop the demo, then: CHANNEL_LAB=1 npm run dev (or CHANNEL_LAB=1 in .env.local).",
  401: "does not accept the team key. It belongs to another data folder: set CHANNEL_DATA_DIR, or CHANNEL_TEAM_KEY.",
};

/** Exits with a remedy when the demo is not ready for seeds. */
export async function connect(env: NodeJS.ProcessEnv): Promise<SeedContext> {
  const refuse = (remedy: string): never => {
    console.error(remedy);
    return process.exit(1);
  };
  if (!wantsEmbeddedChannel(env))
    return refuse(
      "CHAT_BASE_URL names a channel elsewhere. Seeded chats are for the embedded one: leave it out.",
    );
  const { shop, channel } = addresses(env);
  try {
    const lab = new Lab({ channelUrl: channel, teamKey: teamKey(env) });
    return { lab, now: await lab.now(), shopOrigin: env["CHANNEL_SHOP_ORIGIN"] || shop };
  } catch (error) {
    const remedy = error instanceof LabError ? remedies[error.status] : undefined;
    if (remedy !== undefined) return refuse(`The channel at ${channel} ${remedy}`);
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(
      `No demo's channel answers at ${channel} (${reason}). Start it in another terminal with: CHANNEL_LAB=1 npm run dev`,
    );
  }
}
