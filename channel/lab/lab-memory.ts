/**
 * The lab's state in this process: pending faults, the latest requests and the notices that the team was
 * given. A restart forgets it, and each process on a shared database has its own.
 */
import type { NotifyTeam, TeamNotice } from "../handoffs/outbox.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestRecord } from "../http/log.ts";
import { createFaults } from "./faults.ts";

export interface DeliveredNotice extends TeamNotice {
  /** Follows the system's clock, not the lab's. */
  deliveredAt: Date;
}

const maxNotices = 500;
const maxRequests = 500;

export type LabMemory = ReturnType<typeof createLabMemory>;

export function createLabMemory() {
  const faults = createFaults();
  let requests: SeenRequest[] = [];
  let notices: DeliveredNotice[] = [];
  /** Being delivered. A chat that is erased meanwhile leaves none. */
  const underway = new Set<TeamNotice>();
  return {
    faults,
    /** Keeps a request to the Chat API: others are recorded without their exchange. */
    addRequest({ exchange, ...record }: RequestRecord) {
      if (exchange === undefined) return;
      requests.push({ ...record, exchange, seenAt: new Date() });
      // Trimmed in batches, not on every request.
      if (requests.length >= 2 * maxRequests) requests = requests.slice(-maxRequests);
    },
    /** Newest first. `withoutKeys` makes an exchange fit to show. */
    latestRequests: (): readonly SeenRequest[] => requests.slice(-maxRequests).reverse(),
    /** Oldest first. */
    notices: (): readonly DeliveredNotice[] => notices,
    /** Delivers notices and keeps those that were delivered. */
    recordNotices:
      (notifyTeam: NotifyTeam): NotifyTeam =>
      async (notice) => {
        underway.add(notice);
        try {
          await notifyTeam(notice);
          if (underway.has(notice))
            notices = [...notices, { ...notice, deliveredAt: new Date() }].slice(-maxNotices);
        } finally {
          underway.delete(notice);
        }
      },
    /** Forgets an erased chat, its requests and the one that created it. */
    forget(chatId: string) {
      requests = requests.filter(
        (seen) => seen.chatId !== chatId && !seen.exchange.response.body.includes(`"${chatId}"`),
      );
      notices = notices.filter((notice) => notice.chatId !== chatId);
      for (const notice of underway) if (notice.chatId === chatId) underway.delete(notice);
    },
    clear() {
      faults.clear();
      requests = [];
      notices = [];
      underway.clear();
    },
  };
}

export interface SeenRequest extends RequestRecord {
  exchange: Exchange;
  /** Follows the system's clock, not the lab's. */
  seenAt: Date;
}
