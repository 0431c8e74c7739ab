/** The channel's log: one JSON object per line on standard output (pino). */
import pino from "pino";

/**
 * Lines are written at once. Once the reader of standard output has gone away (EPIPE), pino drops them; lines
 * that waited in a buffer would make it retry forever when the process exits.
 */
export function createLog(level: string): pino.Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, pino.destination({ dest: 1, sync: true }));
}
