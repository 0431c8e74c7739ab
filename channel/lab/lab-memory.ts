/**
 * The lab's state in this process: pending faults, the latest requests and the notices that the team was
 * given. A restart forgets it, and each process on a shared database has its own.
 */
import type { NotifyTeam, TeamNotice } from "../handoffs/outbox.ts";
import { createFaults } from "./faults.ts";
import { createRequestHistory } from "./request-history.ts";

export interface DeliveredNotice extends TeamNotice {
  /** Follows the system's clock, not the lab's. */
  deliveredAt: Date;
}

const maxNotices = 500;

export type LabMemory = ReturnType<typeof createLabMemory>;

export function createLabMemory() {
  const faults = createFaults();
  const requests = createRequestHistory();
  let notices: DeliveredNotice[] = [];
  /** Being delivered. A chat that is erased meanwhile leaves none. */
  const underway = new Set<TeamNotice>();
  return {
    faults,
    requests,
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
    /** Forgets an erased chat. */
    forget(chatId: string) {
      requests.forget(chatId);
      notices = notices.filter((notice) => notice.chatId !== chatId);
      for (const notice of underway) if (notice.chatId === chatId) underway.delete(notice);
    },
    clear() {
      faults.clear();
      requests.clear();
      notices = [];
      underway.clear();
    },
  };
}
