import { newKey } from "../new-key.ts";
import type { ChatStorage } from "../storage/storage.ts";
import { isRecord, parseJson, stringOr } from "../storage/stored.ts";

/**
 * The idempotency key for a request: that of an earlier attempt at an equal request with an unknown outcome,
 * else a new one. Survives a reload, so pressing the button again repeats the request.
 */
export function keyFor(storage: ChatStorage, name: string, request: string): string {
  const kept = parseJson(storage.read(name));
  if (isRecord(kept) && kept["request"] === request) return stringOr(kept["key"], newKey());
  const key = newKey();
  storage.write(name, JSON.stringify({ key, request }));
  return key;
}
