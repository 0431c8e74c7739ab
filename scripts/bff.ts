/**
 * `npm run bff`: the demo shop's chat server alone, without Next. A proxy in front sends the base path here
 * and everything else to Next. Same environment and `.env.local`; PORT and HOST say where it listens.
 */

import { serveAlone } from "#lib/bff/node/program.ts";
import { requireConfiguration } from "#lib/bff/node.ts";
import { chat } from "#lib/shop/server/chat.ts";
import { startTraces } from "#lib/shop/server/traces.ts";
import { addresses, settingsOrExit } from "../processes/environment.ts";
import { requireFreePort } from "../processes/free-port.ts";

const address = addresses(settingsOrExit());
requireConfiguration();
await requireFreePort(address, "PORT").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
await serveAlone(chat, address, startTraces(process.env));
