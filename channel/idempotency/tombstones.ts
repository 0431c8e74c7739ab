/** Create keys whose chat was deleted (docs/chat-api.md, "Idempotency"). */
import { hash } from "node:crypto";
import { sql as fragment, type SQL } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { addTime } from "../clock.ts";
import { sqlTime } from "../db/columns.ts";
import type { Sql } from "../db/database.ts";
import { keyTombstones } from "../db/schema.ts";

function hashOf(key: string): string {
  return hash("sha256", key, "hex");
}

/** When a create key that was first used at `createdAt` expires. */
export function keyExpiresAt(createdAt: Date): Date {
  return addTime(createdAt, limits.createKeyRetention);
}

/** @throws ChatApiError `idempotency_resource_gone` */
export async function requireNoTombstone(
  sql: Sql,
  channelKey: string,
  key: string,
  now: Date,
): Promise<void> {
  const { rows } = await sql.execute<{ gone: boolean }>(
    fragment`select ${hasTombstone(channelKey, key, now)} as gone`,
  );
  if (rows[0]?.gone === true) throw new ChatApiError("idempotency_resource_gone");
}

/** Whether the key's chat was deleted, as an SQL expression. */
export function hasTombstone(channelKey: string, key: string, now: Date): SQL {
  return fragment`exists (select 1 from key_tombstones where channel_key = ${channelKey}
    and key_hash = ${hashOf(key)} and until > ${sqlTime(now)})`;
}

/** Remembers the key of a deleted chat until it would have expired. */
export async function addTombstone(
  tx: Sql,
  { channelKey, key, createdAt }: { channelKey: string; key: string; createdAt: Date },
): Promise<void> {
  const until = keyExpiresAt(createdAt);
  await tx
    .insert(keyTombstones)
    .values({ channelKey, keyHash: hashOf(key), until })
    .onConflictDoUpdate({ target: [keyTombstones.channelKey, keyTombstones.keyHash], set: { until } });
}
