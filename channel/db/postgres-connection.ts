/** Settings of every connection to PostgreSQL. */
import type { ClientConfig } from "pg";

/**
 * Milliseconds. A connection can fall silent without closing, as after a failover or when a NAT table is
 * emptied: its statements must fail before a turn's lease ends.
 */
export const connectionLimits = {
  /** The wait until a connection is free or made. */
  connect: 5_000,
  /** Statements are short; only migrations may take longer. */
  query: 10_000,
  /** How long a connection is idle before the system probes it. */
  keepAlive: 10_000,
} as const;

export function connectionOptions(url: string, name: string) {
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectionLimits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: connectionLimits.keepAlive,
  } satisfies ClientConfig;
}
