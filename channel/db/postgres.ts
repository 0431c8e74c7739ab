/** PostgreSQL: any number of channel processes share the database. */
import { randomInt } from "node:crypto";
import { sql as fragment } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { StartError } from "../errors.ts";
import { type Database, maxOwner, withRetries } from "./database.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import { applyMigrations, migrationsFolder } from "./migrations-folder.ts";
import { connectionLimits, connectionOptions, connectPresence } from "./postgres-presence.ts";

/** Statements are short: with more connections they would wait in the database instead of in the pool. */
const maxConnections = 16;
/** The oldest version of PostgreSQL that its project maintains. */
const oldestVersion = 14;
/** Created without the schema, which only `db.query` needs: passing it costs 50 µs per transaction. */
const config = { casing: "snake_case" } as const;

export interface PostgresOptions {
  /** The server itself, if `url` is a pooler's: for the migration, session locks and notifications. */
  directUrl?: string | undefined;
  /** Whether the process has the lab, which one process of a database may have. */
  hasLab?: boolean;
}

/** @throws LabInUse, or a StartError of the migrations */
export async function openPostgres(
  url: string,
  { directUrl = url, hasLab = false }: PostgresOptions = {},
): Promise<Database> {
  await migratePostgres(directUrl);
  const isPooled = directUrl !== url;
  const pool = new pg.Pool({
    ...connectionOptions(url, "shop-chat-channel"),
    max: maxConnections,
    query_timeout: connectionLimits.query,
  });
  // When a connection breaks, its statement fails and the pool replaces it on the next use. Without a
  // listener its `error` event would end the process; the pool listens on idle connections only.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const owner = randomInt(1, maxOwner);
  const presence = await openPresence().catch(async (error) => {
    await pool.end();
    throw error;
  });
  async function openPresence() {
    if (isPooled) await pool.query("select");
    return connectPresence(directUrl, owner, hasLab);
  }
  const drizzled = (client: pg.Pool | pg.PoolClient) => drizzle(prepared(client, isPooled), config);
  const sql = drizzled(pool);
  return {
    sql,
    transaction: (phase) => withRetries(() => transaction(pool, (client) => phase(drizzled(client)))),
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

/**
 * Unlike Drizzle's own transaction, returns the connection when `begin` fails, and closes one that does not
 * answer any more instead of waiting for its `rollback`.
 */
async function transaction<T>(pool: pg.Pool, phase: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await phase(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    const isUsable = !isDatabaseUnavailable(error) && (await rolledBack(client));
    client.release(!isUsable);
    throw error;
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query("rollback").then(
    () => true,
    () => false,
  );
}

/** Statement names by text. PostgreSQL parses a named statement once per connection. */
const statementNames = new Map<string, string>();
/** A statement with a list has a text for each length of it. Texts beyond this number get no name. */
const maxStatements = 500;

function nameOf(text: string): string | undefined {
  if (!statementNames.has(text) && statementNames.size < maxStatements)
    statementNames.set(text, `statement_${statementNames.size}`);
  return statementNames.get(text);
}

/**
 * The part of a connection or a pool that Drizzle calls, with a name for each statement. Behind a pooler they
 * have none: the next transaction may be on another connection of the server.
 */
function prepared(client: pg.Pool | pg.PoolClient, isPooled: boolean): pg.PoolClient {
  const query = ({ name: _, ...statement }: pg.QueryConfig, values: unknown[]) => {
    const name = isPooled ? undefined : nameOf(statement.text);
    return client.query(name === undefined ? statement : { ...statement, name }, values);
  };
  // Drizzle's type requires the whole class.
  return { query } as unknown as pg.PoolClient;
}

/** The advisory lock under which one process at a time runs the migrations. */
const migrationLock = 734_001;

/** Migrates over its own connection, because a migration may take longer than a query. */
async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>("show server_version");
  const version = rows[0]?.server_version ?? "";
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new StartError(
      `PostgreSQL ${version} is too old: the channel needs ${oldestVersion} or newer. CHANNEL_DATABASE_URL names the server.`,
    );
}

async function migratePostgres(url: string): Promise<void> {
  // Reads the certificates that the address names.
  const client = new pg.Client(connectionOptions(url, "shop-chat-migration"));
  client.on("error", () => undefined);
  try {
    await client.connect();
    await requireVersion(client);
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await applyMigrations(
      (text) => client.query(text),
      () => migrate(drizzle(client), { migrationsFolder }),
    );
  } finally {
    // Also releases the lock.
    await client.end();
  }
}
