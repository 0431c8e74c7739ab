/** The one door to the database. Two engines stand behind it: PGlite (`pglite.ts`) and PostgreSQL (`postgres.ts`). */
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { isSerializationFailure } from "./database-errors.ts";
import type * as schema from "./schema.ts";

interface Result<Row> {
  rows: Row[];
}

/** What both engines' results have in common. */
interface Rows extends PgQueryResultHKT {
  type: Result<this["row"]>;
}

/** What queries are written against: the database itself, or a transaction of it. */
export type Sql = PgDatabase<Rows, typeof schema>;

export interface Database {
  /** Queries outside a transaction: each is one by itself. */
  sql: Sql;
  /**
   * Runs the phase in one transaction. PGlite has one connection, which the transaction holds: nothing but SQL may be
   * awaited inside. The phase may run again, from the beginning, when the database asks for it.
   */
  transaction<T>(phase: (tx: Sql) => Promise<T>): Promise<T>;
  /**
   * True when other processes may use the same database: then limits, running turns and settings must be looked up
   * there, and a running turn may be another process's.
   */
  shared: boolean;
  /** This opening of the database, among all that ever were: leases are in its name. */
  owner: number;
  /** Owners that hold their connection at this moment. A database that is not shared has one. */
  aliveOwners(): Promise<readonly number[]>;
  /** Tells every process that something of the name changed. A hint: it may be lost. */
  notify(name: string): Promise<void>;
  /** Calls back at such a hint. Returns the end of it. */
  onNotify(listener: (name: string) => void): () => void;
  close(): Promise<void>;
}

/** Owners are drawn at random, so that a process that comes back is a new one: they fit PostgreSQL's `integer`. */
export const maxOwner = 2 ** 31 - 1;

const maxAttempts = 5;

/** Runs what PostgreSQL may refuse because of others (40001, 40P01) until it is through. */
export async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !isSerializationFailure(error)) throw error;
    }
  }
}
