/** The browser's session with the BFF (`app/api/session`). The cookie itself is out of reach of scripts. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { defaultTimeouts } from "#lib/chat-client/limits.ts";
import type { Tabs } from "./tabs.ts";

export interface Customer {
  id: string;
  name: string;
}

export const clientHeaders = { "X-Chat-Client": "1" } as const;

export interface Session {
  /**
   * Starts a session where there is none, and says whose it is: null for a guest. One tab at a time: two sessions
   * made at once would take each other's chats away. Rejects when there is none and none can be had.
   */
  start(): Promise<Customer | null>;
  /** Resolves when no start is under way, however it ended: requests sent before would be refused for nothing. */
  settled(): Promise<unknown>;
}

export function createSession(tabs: Tabs): Session {
  /** The latest start. */
  let starting: Promise<unknown> = Promise.resolve();
  return {
    start() {
      const started = startOnServer(tabs);
      starting = started.catch(() => null);
      return started;
    },
    settled: () => starting,
  };
}

async function startOnServer(tabs: Tabs): Promise<Customer | null> {
  let customer: Customer | null = null;
  await tabs.exclusively("session", async () => {
    const response = await fetch("/api/session", {
      method: "POST",
      headers: { ...clientHeaders, "Content-Type": "application/json" },
      body: "{}",
      // All other requests, of all tabs, wait for this one.
      signal: AbortSignal.timeout(defaultTimeouts.headers),
    });
    if (!response.ok) throw new ChatApiError("session_required");
    const answer: { item: { customer: Customer | null } } = await response.json();
    customer = answer.item.customer;
  });
  return customer;
}
