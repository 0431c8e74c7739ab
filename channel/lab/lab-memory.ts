/**
 * The lab's state in this process: pending faults, the latest requests and the notices that the team was
 * given. A restart forgets it, and each process on a shared database has its own.
 */
import type { AroundOperation } from "../api/route.ts";
import type { NotifyTeam, TeamNotice } from "../handoffs/outbox.ts";
import { type Exchange, openExchange, withoutKeys } from "../http/exchange.ts";
import type { RequestRecord } from "../http/log.ts";
import { causeFaults, createFaults } from "./faults.ts";

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
  const meetFault = causeFaults(faults);

  function add(request: SeenRequest): void {
    requests.push(request);
    // Trimmed in batches, not on every request.
    if (requests.length >= 2 * maxRequests) requests = requests.slice(-maxRequests);
  }

  return {
    faults,
    /** Lists an admitted operation from its beginning, and lets it meet its fault. */
    around(...[operation, context, run]: Parameters<AroundOperation>) {
      const { raw, path } = context.req;
      const { requestId, chatId } = context.var;
      add({
        requestId,
        method: raw.method,
        path: withoutKeys(path),
        operation,
        chatId,
        status: null,
        errorCode: undefined,
        get fault() {
          return context.get("fault");
        },
        milliseconds: null,
        exchange: openExchange(raw, () => context.get("requestBody")),
        seenAt: new Date(),
      });
      return meetFault(operation, context, run);
    },
    /** Keeps a request to the Chat API: others are recorded without their exchange. */
    endRequest({ exchange, ...record }: RequestRecord) {
      if (exchange === undefined) return;
      const index = requests.findLastIndex(({ requestId }) => requestId === record.requestId);
      const open = requests[index];
      if (open === undefined) add({ ...record, exchange, seenAt: new Date() });
      else requests[index] = { ...record, exchange, seenAt: open.seenAt };
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

/** A request, which has no status and time until its response begins. */
export interface SeenRequest extends Omit<RequestRecord, "status" | "milliseconds" | "isReplay" | "fault"> {
  status: number | null;
  milliseconds: number | null;
  isReplay?: boolean | undefined;
  fault?: string | undefined;
  exchange: Exchange;
  /** Follows the system's clock, not the lab's. */
  seenAt: Date;
}
