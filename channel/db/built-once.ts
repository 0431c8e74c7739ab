/**
 * Statements of the hot paths, which Drizzle builds once instead of on each use: building one takes about as
 * long as PostgreSQL takes to run it.
 */
import type { SQL } from "drizzle-orm";
import { PgDialect, type PreparedQueryConfig } from "drizzle-orm/pg-core";
import type { Sql } from "./database.ts";

const dialect = new PgDialect({ casing: "snake_case" });

/** A statement whose values are named by `sql.placeholder`. */
export function statement<Row>(
  query: SQL,
): (on: Sql, values: Readonly<Record<string, unknown>>) => Promise<Row[]> {
  const built = dialect.sqlToQuery(query);
  type Config = PreparedQueryConfig & { execute: { rows: Row[] } };
  return async (on, values) => {
    const prepared = on._.session.prepareQuery<Config>(built, undefined, undefined, false);
    return (await prepared.execute({ ...values })).rows;
  };
}

/** Builds and prepares a query once for each database or transaction that it runs on. */
export function builtOnce<Query extends object>(build: (on: Sql) => Query): (on: Sql) => Query {
  const queries = new WeakMap<Sql, Query>();
  return (on) => {
    const query = queries.get(on) ?? build(on);
    queries.set(on, query);
    return query;
  };
}
