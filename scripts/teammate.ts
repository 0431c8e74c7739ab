/** The demo's automatic teammate, beside the embedded channel. `npm run dev` and `npm start` start it. */
import { setTimeout as pause } from "node:timers/promises";
import { readShopTeam } from "../channel/team/shop-team.ts";
import { addresses, demoChannel, settingsOrExit, teamKey } from "../processes/environment.ts";
import { createTeammate } from "./teammate/teammate.ts";

const interval = 1_000;
const env = settingsOrExit();
const { channel } = addresses(env);
const authorization = `Bearer ${teamKey(env)}`;
const { members } = await readShopTeam(env["CHANNEL_SHOP_DIR"] || demoChannel.CHANNEL_SHOP_DIR);

const step = createTeammate((path, body, { headers } = { headers: {} }) => {
  const init = { headers: { ...headers, authorization }, signal: AbortSignal.timeout(10_000) };
  if (body === undefined) return fetch(channel + path, init);
  const json = { ...init.headers, "content-type": "application/json" };
  return fetch(channel + path, { ...init, method: "POST", headers: json, body: JSON.stringify(body) });
}, members);

for (;;) {
  // The channel may be stopping or starting.
  await step(performance.now()).catch(() => undefined);
  await pause(interval);
}
