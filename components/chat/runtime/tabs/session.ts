/** The caller as the server knows them. Scripts cannot read a guest's cookie or the host's sign-in. */
import { ChatApiError } from "../../../../lib/chat-api/errors.ts";
import { defaultTimeouts } from "../../../../lib/chat-client/limits.ts";
import { renameOwner } from "../storage/storage.ts";
import type { Tabs } from "./tabs.ts";

export interface Caller {
  /** The server's opaque name for the caller; constant for one customer or guest until its secret changes. */
  tag: string;
  isGuest: boolean;
}

/** The owner of every guest's data: a browser has one guest at a time. */
export const guestOwner = "guest";

/** The storage name of the caller's data. */
export function ownerOf({ tag, isGuest }: Caller): string {
  return isGuest ? guestOwner : tag;
}

export const clientHeaders = { "X-Chat-Client": "1" } as const;

export interface Session {
  /** The base path of the chat's server. */
  readonly api: string;
  /** The last known caller; null before the first answer. */
  caller(): Caller | null;
  /**
   * Asks the server for the caller; a new guest gets a cookie. One tab at a time: two guests created at once
   * would overwrite each other's cookie and lose chats. Rejects if the server refuses or does not answer.
   */
  start(): Promise<Caller>;
  /** Resolves when the latest start has ended. Requests wait for it, because the server could refuse them. */
  settled(): Promise<unknown>;
  /**
   * `listener` gets every caller before any request goes out in that name. Returns a function that
   * unsubscribes.
   */
  onCaller(listener: (caller: Caller) => void): () => void;
}

export function createSession(tabs: Tabs, api: string): Session {
  /** The latest start. */
  let starting: Promise<unknown> = Promise.resolve();
  let latest: Caller | null = null;
  const listeners = new Set<(caller: Caller) => void>();

  async function ask(): Promise<Caller> {
    const caller = await askServer(tabs, api);
    latest = caller;
    for (const listener of [...listeners]) listener(caller);
    return caller;
  }

  return {
    api,
    caller: () => latest,
    start() {
      const started = ask();
      starting = started.catch(() => null);
      return started;
    },
    settled: () => starting,
    onCaller(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface StartedSession {
  caller: string;
  /** The caller's tags under former secrets of the server. An older server does not send them. */
  formerCallers?: readonly string[];
  customer: object | null;
}

async function askServer(tabs: Tabs, api: string): Promise<Caller> {
  let caller: Caller | undefined;
  await tabs.exclusively("session", async () => {
    const response = await fetch(`${api}/session`, {
      method: "POST",
      headers: { ...clientHeaders, "Content-Type": "application/json" },
      body: "{}",
      // This tab's other requests and the session starts of other tabs wait for this request.
      signal: AbortSignal.timeout(defaultTimeouts.headers),
    });
    if (!response.ok) throw new ChatApiError("session_required");
    const { item }: { item: StartedSession } = await response.json();
    caller = { tag: item.caller, isGuest: item.customer === null };
    if (!caller.isGuest) for (const former of item.formerCallers ?? []) renameOwner(former, caller.tag);
  });
  if (caller === undefined) throw new ChatApiError("session_required");
  return caller;
}
