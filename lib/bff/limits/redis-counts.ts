/** Counts calls in Redis, for several processes together. */
import { requireOptional } from "../configuration/optional-package.ts";
import type { CallCounts } from "./call-counts.ts";

export interface RedisCounts extends CallCounts {
  close(): void;
}

export function createRedisCounts(url: string): RedisCounts {
  const client = new (requireOptional("ioredis").Redis)(url, { maxRetriesPerRequest: 0 });
  let lastError: Error | undefined;
  client.on("error", (error: Error) => {
    lastError = error;
  });
  return {
    async count(key, { seconds }, by) {
      const replies = await client.pipeline().incrby(key, by).expire(key, seconds).exec();
      const [error, count] = replies?.[0] ?? [];
      // ioredis reports a lost connection as too many retries.
      if (error != null) throw lastError ?? error;
      return Number(count);
    },
    close: () => client.disconnect(),
  };
}
