/** The life of the process: it starts with a configuration that works, and stops without losing a reply. */
import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import type { Bff } from "./bff.ts";
import { processBff } from "./entry.ts";
import { ConfigurationError } from "./env.ts";
import { bffLimits } from "./limits.ts";
import { startTracing } from "./tracing.ts";

/** As a shell reports an end by this signal. */
const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGTERM: 143, SIGINT: 130 };

/** Checks the configuration before the first request, says once whether the Chat API serves us, and waits for the end. */
export async function startProcess(): Promise<Bff> {
  const bff = configuredBff();
  const stopTracing = bff.config.traces ? await startTracing() : undefined;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => void stop(bff, signal, stopTracing));
  bff.readiness.check().then(
    (ready) => bff.log.info({ event: "started", ready, origin: bff.config.appOrigin }),
    (err: unknown) => bff.log.error({ event: "fault", err }),
  );
  return bff;
}

/** For the last bytes to leave their sockets. */
const flushTime = 250;

/** Whoever listens for requests stops listening by itself; the connections that browsers keep open are not waited for. */
async function stop(bff: Bff, signal: NodeJS.Signals, stopTracing?: () => Promise<void>): Promise<void> {
  bff.log.info({ event: "stopping", signal, openStreams: bff.streams.size });
  try {
    await bff.stop();
    if (stopTracing !== undefined) await sendLastTraces(bff, stopTracing);
    bff.log.info({ event: "stopped" });
  } catch (err) {
    bff.log.error({ event: "fault", err });
  }
  setTimeout(() => process.exit(exitCodes[signal]), flushTime);
}

/** A collector that is away must not keep the process: what it does not take at once is lost. */
async function sendLastTraces({ log }: Bff, stopTracing: () => Promise<void>): Promise<void> {
  try {
    await Promise.race([stopTracing(), pause(bffLimits.closeTime)]);
  } catch (error) {
    log.warn({ event: "traces_lost", reason: error instanceof Error ? error.message : "unknown" });
  }
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
