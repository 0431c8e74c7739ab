/** The settings that an operator can change on a running channel: publication, limits, clock, team hours. */
import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type ChannelLimits, effectiveLimits, type LimitOverrides } from "../channel-limits.ts";
import type { Clock } from "../core.ts";
import type { Database, Sql } from "../db/database.ts";
import { channels } from "../db/schema.ts";
import type { TeamHours } from "../db/team-hours.ts";

type ChannelRow = typeof channels.$inferSelect;

export interface ChannelSettings extends ChannelRow {
  limits: ChannelLimits;
}

export type SettingsChange = Partial<Pick<ChannelRow, "published" | "suspended" | "clockOffsetMs" | "hours">>;

export type SettingsStore = Awaited<ReturnType<typeof openSettings>>;

function newCursorSecret(): string {
  return randomBytes(32).toString("base64url");
}

type NewChannel = Pick<ChannelRow, "key" | "hours"> & Partial<Pick<ChannelRow, "chatKey" | "teamKey">>;

/** Stores a new channel, with every setting at its default. An existing one stays as it is. */
export async function storeChannel(sql: Sql, channel: NewChannel): Promise<void> {
  await sql
    .insert(channels)
    .values({ ...channel, cursorSecret: newCursorSecret() })
    .onConflictDoNothing();
}

/** Reads the channel's settings; creates them with the defaults for a new channel. */
export async function openSettings(database: Database, channelKey: string, hours: TeamHours | null) {
  await storeChannel(database.sql, { key: channelKey, hours });

  const ownRow = database.sql
    .select()
    .from(channels)
    .where(eq(channels.key, channelKey))
    .prepare("channel_settings");
  async function read(): Promise<ChannelSettings> {
    const [row] = await ownRow.execute();
    if (row === undefined) throw new Error(`The channel ${channelKey} was removed from its database.`);
    return settingsOf(row);
  }

  /** The lab's, which end with the process. */
  let overrides: LimitOverrides = {};
  const settingsOf = (row: ChannelRow): ChannelSettings => ({ ...row, limits: effectiveLimits(overrides) });
  let current = await read();
  /** Applies the lab's clock offset. */
  const clock: Clock = { now: () => new Date(Date.now() + current.clockOffsetMs) };

  async function refresh(): Promise<ChannelSettings> {
    current = await read();
    return current;
  }

  async function change(to: PgUpdateSetSource<typeof channels>): Promise<ChannelSettings> {
    await database.sql.update(channels).set(to).where(eq(channels.key, channelKey));
    return refresh();
  }

  return {
    clock,
    /** The last settings read. With a shared database, each Chat API request reads them (`rate-limit.ts`). */
    current: () => current,
    refresh,
    change: (to: SettingsChange) => change(to),
    changeLimits(changes: LimitOverrides) {
      overrides = { ...overrides, ...changes };
      current = settingsOf(current);
      return current.limits;
    },
    restoreLimits() {
      overrides = {};
      current = settingsOf(current);
    },
    /** Expires every cursor issued so far. */
    expireCursors: () =>
      change({ expiredCursorSecret: sql`${channels.cursorSecret}`, cursorSecret: newCursorSecret() }),
    /** Creates the deleted channel again, with every setting at its default. */
    recreate(tx: Sql) {
      const { chatKey, teamKey } = current;
      return storeChannel(tx, { key: channelKey, hours, chatKey, teamKey });
    },
  };
}
