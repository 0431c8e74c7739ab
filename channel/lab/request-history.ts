/** The latest Chat API requests of a channel in this process. */
import type { Exchange } from "../http/exchange.ts";
import type { RequestRecord } from "../http/request-log.ts";

export interface SeenRequest extends RequestRecord {
  exchange: Exchange;
  /** Follows the system's clock, not the lab's. */
  seenAt: Date;
}

const maxRequests = 500;

export function createRequestHistory() {
  let seen: SeenRequest[] = [];
  return {
    /** Keeps a request to the Chat API: others are recorded without their exchange. */
    add({ exchange, ...record }: RequestRecord) {
      if (exchange === undefined) return;
      seen.push({ ...record, exchange, seenAt: new Date() });
      // Trimmed in batches, not on every request.
      if (seen.length >= 2 * maxRequests) seen = seen.slice(-maxRequests);
    },
    /** Newest first. `withoutKeys` makes an exchange fit to show. */
    latest: (): readonly SeenRequest[] => seen.slice(-maxRequests).reverse(),
    /** Forgets the requests of a chat, and the one that created it. */
    forget(chatId: string) {
      seen = seen.filter(
        (each) => each.chatId !== chatId && !each.exchange.response.body.includes(`"${chatId}"`),
      );
    },
    clear() {
      seen = [];
    },
  };
}
