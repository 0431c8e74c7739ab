/** For a program that only serves the chat, or a shop that must not run without it. */
import { ConfigurationError, type Environment, readProcessConfig } from "../configuration/env.ts";

/** Exits with every fault named if the configuration is unusable. */
export function requireConfiguration(configuration?: Environment): void {
  try {
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

/** Exits on a signal, after `stop`. Idle keep-alive connections are not awaited. */
export function stopOnSignals(stop: () => Promise<void>): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      await stop();
      setTimeout(() => process.exit(exitCodes[signal]), flushTime);
    });
  }
}
