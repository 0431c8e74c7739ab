/**
 * Around every run of Playwright, whatever its reporters are: before its first test the world is started that most tests
 * share, the shop and an embedded channel behind it unless the environment names a live one; when all of it has stopped,
 * what the run has left is searched for keys.
 */
import { searchRecords } from "./search-records.ts";
import { World } from "./world.ts";

export default async function aroundRun(): Promise<() => Promise<void>> {
  // `E2E_WORLD=none`: for the contract tests alone, which start the channel that they need.
  const world = process.env["E2E_WORLD"] === "none" ? undefined : await startSharedWorld();
  return async () => {
    await world?.stop();
    searchRecords();
  };
}

function startSharedWorld(): Promise<World> {
  const { CHAT_BASE_URL: baseUrl, CHAT_CHANNEL_KEY: channelKey, CHAT_KEY: chatKey } = process.env;
  if (baseUrl && !(channelKey && chatKey)) {
    throw new Error("CHAT_BASE_URL is set: CHAT_CHANNEL_KEY and CHAT_KEY must be, too.");
  }
  return World.start({
    port: Number(process.env["E2E_PORT"]),
    channelPort: Number(process.env["E2E_CHANNEL_PORT"]),
    ...(baseUrl && channelKey && chatKey ? { liveChannel: { baseUrl, channelKey, chatKey } } : {}),
  });
}
