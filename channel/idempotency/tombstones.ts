/** Create keys that are remembered without their chat (specification, "Errors", `idempotency_key_expired`, `idempotency_resource_gone`). */
import { createHash } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { after } from "../clock.ts";
import type { Sql } from "../db/database.ts";
import { keyTombstones } from "../db/schema.ts";
import { retention } from "../limits.ts";

export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** From this moment on, a create key of that time is forgotten. */
export function keyExpiresAt(createdAt: Date): Date {
  return after(createdAt, limits.createKeyRetention);
}

/** Until this moment, a forgotten create key is refused rather than taken for a new one. */
export function keyRefusedUntil(createdAt: Date): Date {
  return after(createdAt, retention.expiredKeys);
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

/**
 * Remembers the key of a chat that is deleted: as gone until the key would have been forgotten. A key that is already
 * forgotten stays so.
 */
export async function buryKey(
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
