/** The latest requests to the Chat API that this process has seen, for people to look at. Gone when the process ends. */
import type { LogRequest, RequestRecord } from "./request-log.ts";

export interface SeenRequest extends RequestRecord {
  /** By the wall clock: the lab's has nothing to do with it. */
  seenAt: Date;
}

const kept = 500;

export interface RequestHistory {
  note: LogRequest;
  /** The newest first. */
  latest(): readonly SeenRequest[];
}

export function createRequestHistory(): RequestHistory {
  let seen: SeenRequest[] = [];
  return {
    note(record) {
      const isChatApi = record.operation !== undefined || record.path.startsWith("/v1/");
      if (!isChatApi) return;
      seen.push({ ...record, seenAt: new Date() });
      // Cut once in a while, not at every request.
      if (seen.length >= 2 * kept) seen = seen.slice(-kept);
    },
    latest: () => seen.slice(-kept).reverse(),
  };
}
