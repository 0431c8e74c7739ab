/** Start and stop of a program that only serves the chat, or of a shop that must not run without it. */
import type { ChatServer } from "../chat-server/chat-server.ts";
import { ConfigurationError, type Environment, readProcessConfig } from "../configuration/env.ts";
import { bffLimits } from "../configuration/limits.ts";
import { requireNode } from "../configuration/runtime.ts";
import { createNodeServer } from "./node-handler.ts";

/** Prints every problem of the configuration and exits if there is one. */
export function requireConfiguration(configuration?: Environment): void {
  try {
    requireNode();
    readProcessConfig(configuration);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`The configuration cannot be used (see .env.example):\n${error.message}\n`);
    process.exit(1);
  }
}

/** The exit code that a shell reports for this signal. */
const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGTERM: 143, SIGINT: 130 };

/** Time for the last bytes to leave their sockets. */
const flushTime = 250;
/** The process has ended ten seconds after the signal (docs/production.md), whatever does not answer. */
const stopTime = 9_500;

/**
 * Waits for `stop` on SIGTERM or SIGINT, but not for ever, and exits, even while idle keep-alive connections
 * are open.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      const exit = () => process.exit(exitCodes[signal]);
      setTimeout(exit, stopTime);
      await stop();
      setTimeout(exit, flushTime);
    });
  }
}

/** Serves the chat alone until a signal, then also awaits `afterwards`. */
export async function serveAlone(
  chat: ChatServer,
  { host, port }: { host: string; port: string },
  afterwards: () => Promise<void> = async () => undefined,
): Promise<void> {
  const server = createNodeServer(chat, { keepAliveTimeout: bffLimits.keepAliveTime });
  server.once("error", (error) => {
    process.stderr.write(`${error.message}\nStop the program that listens there, or set PORT and HOST.\n`);
    process.exit(1);
  });
  server.listen(Number(port), host);
  stopOnSignals(async () => {
    server.close();
    await chat.stop();
    await afterwards();
  });
  await chat.start();
}
