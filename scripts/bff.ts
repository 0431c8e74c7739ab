/**
 * `npm run bff`: the chat server alone, without Next. A proxy in front sends the base path here and
 * everything else to Next. Same environment and `.env.local`; PORT and HOST say where it listens.
 */
import { createNodeServer, requireConfiguration, stopOnSignals } from "#lib/bff/node.ts";
import { chat } from "#lib/shop/server/chat.ts";
import { startTraces } from "#lib/shop/server/traces.ts";
import { addresses, keepAliveTimeout, settingsOrExit } from "../processes/environment.ts";
import { requireFreePort } from "../processes/free-port.ts";

const { host, port } = addresses(settingsOrExit());
requireConfiguration();
const stopTraces = startTraces(process.env);
await requireFreePort({ host, port }, "PORT").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const server = createNodeServer(chat, { keepAliveTimeout });
await chat.start();
server.listen(Number(port), host);
stopOnSignals(async () => {
  server.close();
  await chat.stop();
  await stopTraces();
});
