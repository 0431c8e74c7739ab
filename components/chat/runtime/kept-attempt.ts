import { isRecord, parseJson, stringOr } from "#lib/conversation/stored.ts";
import { newKey } from "./new-key.ts";
import { type ChatStorage, createStorage } from "./storage.ts";

/** What this tab keeps while it is open, over reloads. */
export function createTabStorage(): ChatStorage {
  return createStorage("tab", () => window.sessionStorage);
}

/**
 * The idempotency key for a request: the one of an earlier attempt at the very same request whose outcome is not
 * known, else a new one. Kept over a reload, so that pressing the button again repeats the request.
 */
export function keyFor(storage: ChatStorage, name: string, request: string): string {
  const kept = parseJson(storage.read(name));
  if (isRecord(kept) && kept["request"] === request) return stringOr(kept["key"], newKey());
  const key = newKey();
  storage.write(name, JSON.stringify({ key, request }));
  return key;
}
