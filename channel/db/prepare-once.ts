import type { Sql } from "./database.ts";

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
