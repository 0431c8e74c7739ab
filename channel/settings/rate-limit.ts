/**
 * Admits a request: reads the channel's current settings and counts the request against the rate limit
 * (docs/chat-api.md, "General rules").
 */
import { eq, sql } from "drizzle-orm";
import { rateWindow } from "../channel-limits.ts";
import { addTime } from "../core.ts";
import type { Database, Sql } from "../db/database.ts";
import { rateBuckets } from "../db/schema.ts";
import type { ChannelSettings, SettingsStore } from "./settings.ts";

export interface RateState {
  limit: number;
  /** Requests left in the window after this one. */
  remaining: number;
  resetAt: Date;
  /** True when this request exceeds the limit. */
  exceeded: boolean;
}

export type Admissions = ReturnType<typeof createAdmissions>;

/** The part of the limit that a process reserves at a time, so that few requests write to the database. */
const shareOfLimit = 1 / 1_000;

/** The requests of a window that this process has reserved: `next` to `last` are not used yet. */
interface Share {
  windowStart: Date;
  limit: number;
  next: number;
  last: number;
}

export function createAdmissions(deps: { database: Database; settings: SettingsStore; channelKey: string }) {
  const { database, settings, channelKey } = deps;
  const countAhead = createCounter(database.sql, channelKey);
  let share: Share = { windowStart: new Date(0), limit: 0, next: 1, last: 0 };
  let counting: Promise<void> | undefined;

  async function takeShare(now: Date, limit: number): Promise<void> {
    const count = Math.max(1, Math.floor(limit * shareOfLimit));
    const { windowStart, requests } = await countAhead(now, count);
    share = { windowStart, limit, next: requests - count + 1, last: requests };
  }

  return {
    /** Counts one request. */
    async admit(): Promise<{ settings: ChannelSettings; rate: RateState }> {
      // Another process on the database may have changed them.
      const current = database.shared ? await settings.refresh() : settings.current();
      const limit = current.limits.requestsPerMinute;
      const now = settings.clock.now();
      while (share.next > share.last || share.limit !== limit || isOver(share.windowStart, now)) {
        counting ??= takeShare(now, limit).finally(() => {
          counting = undefined;
        });
        await counting;
      }
      const request = share.next;
      share.next += 1;
      const rate: RateState = {
        limit,
        remaining: Math.max(0, limit - request),
        resetAt: addTime(share.windowStart, rateWindow),
        exceeded: request > limit,
      };
      return { settings: current, rate };
    },
    /** Starts a new window, so that a changed limit counts from zero. */
    async restart() {
      share.last = 0;
      await database.sql.delete(rateBuckets).where(eq(rateBuckets.channelKey, channelKey));
    },
  };
}

/** Counts requests of all processes in one statement, which locks the window's row only briefly. */
function createCounter(db: Sql, channelKey: string) {
  const [now, count] = [sql`${sql.placeholder("now")}::timestamptz`, sql.placeholder("count")];
  const window = sql`${rateWindow} * interval '1 millisecond'`;
  // Processes' clocks differ slightly, so a window may start in the future. It counts as past only if it
  // starts a whole window ahead: clocks do not differ that much.
  const isPast = sql`(${rateBuckets.windowStart} <= ${now} - ${window}
    or ${rateBuckets.windowStart} >= ${now} + ${window})`;
  const counter = db
    .insert(rateBuckets)
    .values({ channelKey, windowStart: now, requests: count })
    .onConflictDoUpdate({
      target: rateBuckets.channelKey,
      set: {
        requests: sql`case when ${isPast} then 0 else ${rateBuckets.requests} end + excluded.requests`,
        windowStart: sql`case when ${isPast} then excluded.window_start else ${rateBuckets.windowStart} end`,
      },
    })
    .returning({ windowStart: rateBuckets.windowStart, requests: rateBuckets.requests })
    .prepare("count_requests");
  return async (at: Date, requests: number) => {
    const [bucket] = await counter.execute({ now: at.toISOString(), count: requests });
    if (bucket === undefined) throw new Error("The requests were not counted.");
    return bucket;
  };
}

function isOver(windowStart: Date, now: Date): boolean {
  return Math.abs(now.getTime() - windowStart.getTime()) >= rateWindow;
}
