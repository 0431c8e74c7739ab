/** The console as a separate program beside a channel on this machine or elsewhere. */
import { randomBytes } from "node:crypto";
import { createApp } from "../http/app.ts";
import { mountAssets } from "../http/assets.ts";
import { listen } from "../http/server.ts";
import { mountConsole } from "./console.ts";

export interface ServedConsole {
  channelUrl: string;
  teamKey: string;
  host: string;
  port: number;
}

/** @returns the address that signs one browser in, and how to end */
export async function serveConsole({ channelUrl, teamKey, host, port }: ServedConsole) {
  const app = createApp({
    report: (where, error) => process.stderr.write(`${where}: ${String(error)}\n`),
    logRequest: () => undefined,
    recordsExchanges: false,
    isStopping: () => false,
  });
  const token = randomBytes(32).toString("base64url");
  mountConsole({ app, fetch: globalThis.fetch, channelUrl, teamKey, token, members: [] });
  mountAssets(app);
  const server = await listen(async (request, bindings) => app.fetch(request, bindings), { host, port });
  return { url: `http://${host}:${server.port}/console?token=${token}`, close: () => server.close(0) };
}
