/**
 * What every request asks first: the channel's settings as they are now, and its place in the rate limit's window
 * (specification, "General rules", 3; "Errors", `rate_limited`).
 */
import { sql } from "drizzle-orm";
import { after } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { channels, rateBuckets } from "../db/schema.ts";
import { rateWindow } from "../limits.ts";
import type { ChannelSettings, SettingsStore } from "./settings.ts";

export interface RateState {
  limit: number;
  /** Requests that are left in the window, after this one. */
  remaining: number;
  resetAt: Date;
  /** True when this request is one too many. */
  exceeded: boolean;
}

export interface Admission {
  settings: ChannelSettings;
  rate: RateState;
}

export interface Admissions {
  /** Counts one request. */
  admit(): Promise<Admission>;
  /** Begins a new window: a changed limit starts from nothing. */
  restart(): Promise<void>;
}

export function createAdmissions(deps: {
  database: Database;
  settings: SettingsStore;
  channelKey: string;
}): Admissions {
  return deps.database.shared ? sharedAdmissions(deps) : localAdmissions(deps.settings);
}

/** For the only process of its database: nobody else changes the settings or takes from the limit. */
function localAdmissions(settings: SettingsStore): Admissions {
  let windowStart = new Date(0);
  let requests = 0;
  return {
    async admit() {
      const now = settings.clock.now();
      if (Math.abs(now.getTime() - windowStart.getTime()) >= rateWindow) {
        windowStart = now;
        requests = 0;
      }
      requests += 1;
      return { settings: settings.current, rate: rateState(settings.current, windowStart, requests) };
    },
    async restart() {
      requests = 0;
      windowStart = settings.clock.now();
    },
  };
}

function sharedAdmissions(deps: {
  database: Database;
  settings: SettingsStore;
  channelKey: string;
}): Admissions {
  const { database, settings, channelKey } = deps;
  return {
    async admit() {
      const now = settings.clock.now();
      // One statement: the window's row is locked for the time of its own update only. Processes' clocks differ a
      // little, so that a window that began in the future is only over when no clock can have meant it.
      const isOver = sql`(${rateBuckets.windowStart} <= ${after(now, -rateWindow).toISOString()}::timestamptz
        or ${rateBuckets.windowStart} > ${after(now, rateWindow).toISOString()}::timestamptz)`;
      const bucket = database.sql.$with("bucket").as(
        database.sql
          .insert(rateBuckets)
          .values({ channelKey, windowStart: now, requests: 1 })
          .onConflictDoUpdate({
            target: rateBuckets.channelKey,
            set: {
              requests: sql`case when ${isOver} then 1 else ${rateBuckets.requests} + 1 end`,
              windowStart: sql`case when ${isOver} then excluded.window_start else ${rateBuckets.windowStart} end`,
            },
          })
          .returning({ windowStart: rateBuckets.windowStart, requests: rateBuckets.requests }),
      );
      const [row] = await database.sql
        .with(bucket)
        .select({ channel: channels, windowStart: bucket.windowStart, requests: bucket.requests })
        .from(channels)
        .innerJoin(bucket, sql`true`)
        .where(sql`${channels.key} = ${channelKey}`);
      if (row === undefined) throw new Error(`The channel ${channelKey} was removed from its database.`);
      const current = settings.accept(row.channel);
      return { settings: current, rate: rateState(current, row.windowStart, row.requests) };
    },
    async restart() {
      await database.sql.delete(rateBuckets).where(sql`${rateBuckets.channelKey} = ${channelKey}`);
    },
  };
}

function rateState(settings: ChannelSettings, windowStart: Date, requests: number): RateState {
  const limit = settings.limits.requestsPerMinute;
  return {
    limit,
    remaining: Math.max(0, limit - requests),
    resetAt: after(windowStart, rateWindow),
    exceeded: requests > limit,
  };
}
