/** The console as a separate program beside a channel on this machine or elsewhere. */
import { createApp } from "../http/app.ts";
import { type Address, listen } from "../http/server.ts";
import { type ConsoleDeps, mountConsole } from "./console.ts";

/** @returns the port, and how to end */
export async function serveConsole(options: Omit<ConsoleDeps, "app" | "fetch"> & Address) {
  const app = createApp({
    report: (where, error) => process.stderr.write(`${where}: ${String(error)}\n`),
    logRequest: () => undefined,
  });
  mountConsole({ ...options, app, fetch: globalThis.fetch });
  const server = await listen(async (request, bindings) => app.fetch(request, bindings), options);
  return { port: server.port, close: () => server.close(0) };
}
