/** The database interface. Two engines implement it: PGlite (`pglite.ts`) and PostgreSQL (`postgres.ts`). */
import { type SQL, sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { isSerializationFailure } from "./database-errors.ts";

interface Result<Row> {
  rows: Row[];
}

/** The part of a result that both engines share. */
interface Rows extends PgQueryResultHKT {
  type: Result<this["row"]>;
}

/** Runs queries: the database itself, or a transaction. */
export type Sql = PgDatabase<Rows>;

export interface Database {
  /** Queries outside a transaction; each commits by itself. */
  sql: Sql;
  /**
   * Runs the phase in one transaction. PGlite has a single connection, which the transaction holds: await
   * nothing but SQL inside. The phase runs again from the beginning when PostgreSQL reports a serialisation
   * failure or deadlock.
   */
  transaction<T>(phase: (tx: Sql) => Promise<T>): Promise<T>;
  /**
   * Whether other processes may use the same database. If so, limits, running turns and settings must be read
   * from it, and a running turn may belong to another process.
   */
  shared: boolean;
  /** A random number that identifies this opened database, for example in leases. */
  owner: number;
  /** Owners whose connection is alive: only this one if the database is not shared. */
  aliveOwners(): Promise<readonly number[]>;
  /** Notifies every process of a change; `name` says of what. A notification may be lost. */
  notify(name: string): Promise<void>;
  /** Calls back on each notification. Returns the unsubscribe function. */
  onNotify(listener: (name: string) => void): () => void;
  close(): Promise<void>;
}

/** The upper bound of owners, which are random and fit PostgreSQL's `integer`. */
export const maxOwner = 2 ** 31 - 1;

const maxAttempts = 5;

/** Retries what PostgreSQL refuses because of concurrent transactions (40001, 40P01). */
export async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !isSerializationFailure(error)) throw error;
    }
  }
}

/**
 * Builds and prepares a query once for each database, or transaction, that it runs on. For the queries of
 * every turn: Drizzle takes longer to build one with all columns of a few tables than the database to run it.
 */
export function prepareOnce<Query extends object>(build: (sql: Sql) => Query): (sql: Sql) => Query {
  const queries = new WeakMap<Sql, Query>();
  return (sql) => {
    const query = queries.get(sql) ?? build(sql);
    queries.set(sql, query);
    return query;
  };
}

/** A moment in a statement of SQL. */
export const sqlTime = (moment: Date): SQL => sql`${moment.toISOString()}::timestamptz`;
