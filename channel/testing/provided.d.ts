/** What `vitest.services.config.ts` tells the tests; empty when a part is not there. */
declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
  }
}

export {};
