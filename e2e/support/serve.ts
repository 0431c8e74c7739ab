/**
 * The world that most end-to-end tests share, for Playwright's `webServer`: the shop, and an embedded channel behind
 * it unless the environment names a live one.
 */
import { World } from "./world.ts";

const { CHAT_BASE_URL: baseUrl, CHAT_CHANNEL_KEY: channelKey, CHAT_KEY: chatKey } = process.env;
if (baseUrl && !(channelKey && chatKey)) {
  throw new Error("CHAT_BASE_URL is set: CHAT_CHANNEL_KEY and CHAT_KEY must be, too.");
}

const world = await World.start({
  port: Number(process.env["E2E_PORT"]),
  channelPort: Number(process.env["E2E_CHANNEL_PORT"]),
  ...(baseUrl && channelKey && chatKey ? { liveChannel: { baseUrl, channelKey, chatKey } } : {}),
});
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void world.stop().then(() => process.exit(0)));
}
