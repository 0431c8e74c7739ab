/** The latest Chat API requests of this process, for the console and the lab. Held in memory only. */
import type { LogRequest, RequestRecord } from "./request-log.ts";

export interface SeenRequest extends RequestRecord {
  /** Follows the system's clock, not the lab's. */
  seenAt: Date;
}

const maxRequests = 500;

export interface RequestHistory {
  add: LogRequest;
  /** Newest first. */
  latest(): readonly SeenRequest[];
  clear(): void;
}

export function createRequestHistory(): RequestHistory {
  let seen: SeenRequest[] = [];
  return {
    add(record) {
      const isChatApi = record.operation !== undefined || record.path.startsWith("/v1/");
      if (!isChatApi) return;
      seen.push({ ...record, seenAt: new Date() });
      // Trimmed in batches, not on every request.
      if (seen.length >= 2 * maxRequests) seen = seen.slice(-maxRequests);
    },
    latest: () => seen.slice(-maxRequests).reverse(),
    clear() {
      seen = [];
    },
  };
}
