/**
 * Create keys that are refused after their chat was deleted or they expired (docs/chat-api.md,
 * "Idempotency").
 */
import { hash } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { retention } from "../channel-limits.ts";
import { addTime } from "../clock.ts";
import type { Sql } from "../db/database.ts";
import { keyTombstones } from "../db/schema.ts";

export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** When a create key that was first used at `createdAt` expires. */
export function keyExpiresAt(createdAt: Date): Date {
  return addTime(createdAt, limits.createKeyRetention);
}

/** Until when an expired create key is refused instead of being treated as new. */
export function keyRefusedUntil(createdAt: Date): Date {
  return addTime(createdAt, retention.expiredKeys);
}

/** @throws ChatApiError `idempotency_key_expired`, `idempotency_resource_gone` */
export async function requireNoTombstone(
  sql: Sql,
  channelKey: string,
  key: string,
  now: Date,
): Promise<void> {
  const [tombstone] = await sql
    .select({ reason: keyTombstones.reason })
    .from(keyTombstones)
    .where(
      and(
        eq(keyTombstones.channelKey, channelKey),
        eq(keyTombstones.keyHash, hashKey(key)),
        gt(keyTombstones.until, now),
      ),
    );
  if (tombstone?.reason === "gone") throw new ChatApiError("idempotency_resource_gone");
  if (tombstone?.reason === "expired") throw new ChatApiError("idempotency_key_expired");
}

/** Records a create key: as `gone` until it would have expired, or as `expired` until it counts as new. */
export async function addTombstone(
  tx: Sql,
  key: { channelKey: string; key: string; createdAt: Date },
  reason: "gone" | "expired",
): Promise<void> {
  const until = reason === "gone" ? keyExpiresAt(key.createdAt) : keyRefusedUntil(key.createdAt);
  await tx
    .insert(keyTombstones)
    .values({ channelKey: key.channelKey, keyHash: hashKey(key.key), reason, until })
    .onConflictDoUpdate({
      target: [keyTombstones.channelKey, keyTombstones.keyHash],
      set: { reason, until },
    });
}
