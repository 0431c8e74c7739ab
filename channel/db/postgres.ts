/** PostgreSQL: any number of channel processes share the database. */
import { randomInt } from "node:crypto";
import { sql as fragment } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { type Database, maxOwner, retrying } from "./database.ts";
import { migrationsFolder } from "./migrations-folder.ts";
import { connectPresence } from "./postgres-presence.ts";
import * as schema from "./schema.ts";

/** Statements are short: more connections than this would wait for each other in the database instead of here. */
const maxConnections = 16;
const connectTimeout = 5_000;

export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeout,
    application_name: "shop-chat-channel",
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on("error", () => undefined);
  await migratePostgres(pool);
  const sql = drizzle(pool, { schema, casing: "snake_case" });
  const owner = randomInt(1, maxOwner);
  const presence = await connectPresence(url, owner);
  return {
    sql,
    transaction: (phase) => retrying(() => sql.transaction(phase)),
    shared: true,
    owner,
    aliveOwners: () => presence.aliveOwners(sql),
    async notify(name) {
      await sql.execute(fragment`select pg_notify(${presence.channel}, ${name})`);
    },
    onNotify: presence.onNotify,
    async close() {
      await presence.close();
      await pool.end();
    },
  };
}

/** Names the lock under which one process at a time brings the schema up to date. */
const migrationLock = 734_001;

async function migratePostgres(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder });
    await client.query("select pg_advisory_unlock($1)", [migrationLock]);
  } finally {
    client.release();
  }
}
