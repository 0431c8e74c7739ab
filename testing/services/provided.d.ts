/** Values that `vitest.services.config.ts` provides; empty when a service is missing. */
declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    /** The folder of PostgreSQL's binaries. */
    postgresBin: string;
    /** The path of PgBouncer. */
    pgbouncer: string;
    /** The path of nginx. */
    nginx: string;
    /** The path of Prometheus' promtool. */
    promtool: string;
  }
}

export {};
