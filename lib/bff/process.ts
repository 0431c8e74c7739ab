/** The life of the process: it starts with a configuration that works, and stops without losing a reply. */
import "server-only";
import type { Bff } from "./bff.ts";
import { processBff } from "./entry.ts";
import { ConfigurationError } from "./env.ts";

/** Checks the configuration before the first request, says once whether the Chat API serves us, and waits for the end. */
export function startProcess(): Bff {
  const bff = configuredBff();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      bff.log.info({ event: "stopping", signal, openStreams: bff.streams.size });
      bff.stop().then(
        () => bff.log.info({ event: "stopped" }),
        (err: unknown) => bff.log.error({ event: "fault", err }),
      );
    });
  }
  bff.readiness.check().then(
    (ready) => bff.log.info({ event: "started", ready, origin: bff.config.appOrigin }),
    (err: unknown) => bff.log.error({ event: "fault", err }),
  );
  return bff;
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
