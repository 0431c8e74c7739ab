/**
 * The ledger: the operation and the result of each idempotency key, and the keys of deleted chats
 * (docs/chat-api.md, "Idempotency").
 */
import { hash } from "node:crypto";
import { and, eq, sql as fragment, type Placeholder, type SQL } from "drizzle-orm";
import { ChatApiError, type ErrorCode, isErrorCode } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { addTime } from "../core.ts";
import { type Sql, sqlTime } from "../db/database.ts";
import { keyTombstones, type OperationKind, operations } from "../db/schema.ts";

export type OperationRow = typeof operations.$inferSelect;

/** The parts of a write request that the ledger compares and stores. */
export interface WriteRequest {
  channelKey: string;
  chatId: string;
  kind: OperationKind;
  key: string;
  fingerprint: string;
}

/** The key's operation, which may belong to another chat: a key is unique in the channel. */
export async function findOperation(sql: Sql, request: WriteRequest): Promise<OperationRow | undefined> {
  const [row] = await sql
    .select()
    .from(operations)
    .where(and(eq(operations.channelKey, request.channelKey), eq(operations.key, request.key)));
  return row;
}

/** The number of running turns in the channel, as an SQL expression. */
export function runningTurns(channelKey: string | Placeholder) {
  return fragment`(select count(*) from operations where channel_key = ${channelKey} and state = 'running')`;
}

/** @throws ChatApiError `idempotency_conflict` if the key belongs to a different request */
export function requireSameRequest(operation: OperationRow, request: WriteRequest): void {
  if (operation.fingerprint !== request.fingerprint) throw new ChatApiError("idempotency_conflict");
}

/** The refusal stored for a finished operation; undefined while it runs and when it succeeded. */
export function storedRefusal(operation: OperationRow): ChatApiError | undefined {
  switch (operation.state) {
    case "running":
    case "succeeded":
      return undefined;
    case "refused":
      return new ChatApiError(storedCode(operation));
    case "superseded":
      return new ChatApiError("operation_superseded");
    case "interrupted":
      return new ChatApiError("operation_interrupted");
    default:
      return operation.state satisfies never;
  }
}

function storedCode(operation: OperationRow): ErrorCode {
  const code = operation.errorCode ?? "";
  if (!isErrorCode(code)) throw new Error(`operation ${operation.id} is refused without a known code`);
  return code;
}

function hashOf(key: string): string {
  return hash("sha256", key, "hex");
}

/** When a create key that was first used at `createdAt` expires. */
export function keyExpiresAt(createdAt: Date): Date {
  return addTime(createdAt, limits.createKeyRetention);
}

/** Whether the key's chat was deleted, as an SQL expression. */
export function hasTombstone(channelKey: string, key: string, now: Date): SQL<boolean> {
  return fragment<boolean>`exists (select 1 from key_tombstones where channel_key = ${channelKey}
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

/**
 * A hash of method, path and content. Key order and white space make no difference; a single different code
 * unit of text does.
 */
export function fingerprint(method: string, path: string, content: unknown): string {
  return hash("sha256", `${method} ${path}\n${canonicalJson(content)}`, "hex");
}

/** JSON with sorted keys. A Map counts as an object, an undefined member as absent. */
export function canonicalJson(value: unknown): string {
  if (value instanceof Map) return canonicalEntries([...value]);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalEntries(Object.entries(value));
  return JSON.stringify(value) ?? "null";
}

function canonicalEntries(entries: readonly (readonly [string, unknown])[]): string {
  const members = entries
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
