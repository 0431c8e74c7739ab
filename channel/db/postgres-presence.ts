/**
 * Shows other processes that this one is alive: a dedicated connection holds an advisory lock with the
 * owner's number, which PostgreSQL releases when the connection ends. The connection also listens for
 * notifications. With the lab, it also holds the lock that keeps the lab to one process.
 */
import { sql as fragment } from "drizzle-orm";
import pg, { type ClientConfig } from "pg";
import { StartError } from "../errors.ts";
import type { Sql } from "./database.ts";

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

/** The first key of the advisory locks; the second is the owner. */
const presenceLocks = 734_002;
/** An advisory lock with the second key 0. */
const labLock = 734_003;
const notifyChannel = "shop_chat_turns";
const reconnectPause = 500;
/** How often the connection proves that its server still answers. */
const checkInterval = 10_000;

/** Another process on the database has the lab. It may be about to stop. */
export class LabInUse extends StartError {
  constructor() {
    super(
      "Another channel on this database has the lab, whose faults, limits and requests are in its memory. Stop " +
        "it, or leave CHANNEL_LAB out here: one channel of a database has the lab, and tests address that one.",
    );
  }
}

/** @throws LabInUse */
export async function connectPresence(url: string, owner: number, hasLab: boolean) {
  const listeners = new Set<(name: string) => void>();
  let isClosed = false;
  let hasConnected = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let check: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const options = connectionOptions(url, "shop-chat-presence");
    const next = new pg.Client({ ...options, query_timeout: connectionLimits.query });
    next.on("notification", ({ payload }) => {
      for (const listener of listeners) listener(payload ?? "");
    });
    next.on("error", () => undefined);
    try {
      await next.connect();
      // Shared, because the server may not know yet that this process's former connection is lost.
      await next.query("select pg_advisory_lock_shared($1, $2)", [presenceLocks, owner]);
      // After a lost connection the server may still have it, with its lock.
      if (hasLab && !(await locksLab(next)) && !hasConnected) throw new LabInUse();
      await next.query(`listen ${notifyChannel}`);
    } catch (error) {
      // A connection without its lock is useless: the next attempt opens a new one.
      await next.end();
      throw error;
    }
    next.on("end", reconnect);
    client = next;
    hasConnected = true;
    checkLater(next);
  }

  async function locksLab(on: pg.Client): Promise<boolean> {
    const { rows } = await on.query("select pg_try_advisory_lock($1, 0) as is_held", [labLock]);
    return rows[0]?.is_held === true;
  }

  /** A connection that only listens would never notice that its server is gone. */
  function checkLater(checked: pg.Client): void {
    check = setTimeout(() => {
      checked.query("select").then(
        () => checkLater(checked),
        () => void checked.end(),
      );
    }, checkInterval);
    check.unref();
  }

  /**
   * While the connection is down, other processes may take this one's turns for orphans. The fence keeps that
   * harmless.
   */
  function reconnect(): void {
    client = undefined;
    if (isClosed || retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      connect().catch(reconnect);
    }, reconnectPause);
  }

  await connect();
  return {
    /** The notification channel's name. */
    channel: notifyChannel,
    async aliveOwners(sql: Sql) {
      const locks = await sql.execute<{ owner: number }>(fragment`
        select objid::bigint::integer as owner from pg_locks
        where locktype = 'advisory' and classid = ${presenceLocks} and granted
          and database = (select oid from pg_database where datname = current_database())`);
      return [...locks.rows.map((row) => row.owner), owner];
    },
    onNotify(listener: (name: string) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      clearTimeout(check);
      await client?.end();
    },
  };
}
