/** The console as a separate program beside a channel on this machine or elsewhere. */
import { createApp } from "../http/app.ts";
import { mountAssets } from "../http/pages.ts";
import { listen } from "../http/server.ts";
import { mountConsole } from "./console.ts";

export interface ServedConsole {
  channelUrl: string;
  teamKey: string;
  host: string;
  port: number;
  /** Signs in the first browser that opens it. */
  token: string | undefined;
}

/** @returns the port, and how to end */
export async function serveConsole({ channelUrl, teamKey, host, port, token }: ServedConsole) {
  const app = createApp({
    report: (where, error) => process.stderr.write(`${where}: ${String(error)}\n`),
    logRequest: () => undefined,
    recordsExchanges: false,
    isStopping: () => false,
  });
  mountConsole({ app, fetch: globalThis.fetch, channelUrl, teamKey, token, members: [] });
  mountAssets(app);
  const server = await listen(async (request, bindings) => app.fetch(request, bindings), { host, port });
  return { port: server.port, close: () => server.close(0) };
}
