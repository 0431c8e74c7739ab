/** The life of the process: it starts with a configuration that works, and stops without losing a reply. */
import "server-only";
import type { Bff } from "./bff.ts";
import { processBff } from "./entry.ts";
import { ConfigurationError } from "./env.ts";

/** As a shell reports an end by this signal. */
const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGTERM: 143, SIGINT: 130 };

/** Checks the configuration before the first request, says once whether the Chat API serves us, and waits for the end. */
export function startProcess(): Bff {
  const bff = configuredBff();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(bff, signal));
  bff.readiness.check().then(
    (ready) => bff.log.info({ event: "started", ready, origin: bff.config.appOrigin }),
    (err: unknown) => bff.log.error({ event: "fault", err }),
  );
  return bff;
}

/** For the last bytes to leave their sockets. */
const flushTime = 250;

/** Whoever listens for requests stops listening by itself; the connections that browsers keep open are not waited for. */
async function stop(bff: Bff, signal: NodeJS.Signals): Promise<void> {
  bff.log.info({ event: "stopping", signal, openStreams: bff.streams.size });
  try {
    await bff.stop();
    bff.log.info({ event: "stopped" });
  } catch (err) {
    bff.log.error({ event: "fault", err });
  }
  setTimeout(() => process.exit(exitCodes[signal]), flushTime);
}

function configuredBff(): Bff {
  try {
    return processBff();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`The configuration cannot be used (see .env.example):\n${error.message}\n`);
    process.exit(1);
  }
}
