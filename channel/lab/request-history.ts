/** The latest Chat API requests of a channel in this process. */
import type { RequestRecord } from "../http/request-log.ts";

export interface SeenRequest extends RequestRecord {
  /** Follows the system's clock, not the lab's. */
  seenAt: Date;
}

const maxRequests = 500;

export function createRequestHistory() {
  let seen: SeenRequest[] = [];
  return {
    add(record: RequestRecord) {
      const isChatApi = record.operation !== undefined || record.path.startsWith("/v1/");
      if (!isChatApi) return;
      seen.push({ ...record, seenAt: new Date() });
      // Trimmed in batches, not on every request.
      if (seen.length >= 2 * maxRequests) seen = seen.slice(-maxRequests);
    },
    /** Newest first. `withoutKeys` makes an exchange fit to show. */
    latest: (): readonly SeenRequest[] => seen.slice(-maxRequests).reverse(),
    /** Forgets the requests of a chat, and the one that created it. */
    forget(chatId: string) {
      seen = seen.filter(
        (each) => each.chatId !== chatId && !each.exchange?.response.body.includes(`"${chatId}"`),
      );
    },
    clear() {
      seen = [];
    },
  };
}
