/**
 * Shows other processes that this one is alive: a dedicated connection holds an advisory lock with the
 * owner's number, which PostgreSQL releases when the connection ends. The connection also listens for
 * notifications.
 */
import { sql as fragment } from "drizzle-orm";
import pg from "pg";
import type { Sql } from "./database.ts";

/** The first key of the advisory locks; the second is the owner. */
const presenceLocks = 734_002;
const notifyChannel = "shop_chat_turns";
const reconnectPause = 500;

export interface Presence {
  /** The notification channel's name. */
  channel: string;
  aliveOwners(sql: Sql): Promise<number[]>;
  onNotify(listener: (name: string) => void): () => void;
  close(): Promise<void>;
}

export async function connectPresence(url: string, owner: number): Promise<Presence> {
  const listeners = new Set<(name: string) => void>();
  let isClosed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: "shop-chat-presence" });
    next.on("notification", ({ payload }) => {
      for (const listener of listeners) listener(payload ?? "");
    });
    next.on("error", () => undefined);
    try {
      await next.connect();
      await next.query("select pg_advisory_lock($1, $2)", [presenceLocks, owner]);
      await next.query(`listen ${notifyChannel}`);
    } catch (error) {
      // A connection without its lock is useless: the next attempt opens a new one.
      await next.end();
      throw error;
    }
    next.on("end", reconnect);
    client = next;
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
    channel: notifyChannel,
    async aliveOwners(sql) {
      const locks = await sql.execute<{ owner: number }>(fragment`
        select objid::bigint::integer as owner from pg_locks
        where locktype = 'advisory' and classid = ${presenceLocks} and granted
          and database = (select oid from pg_database where datname = current_database())`);
      return [...locks.rows.map((row) => row.owner), owner];
    },
    onNotify(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
