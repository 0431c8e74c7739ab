/** The browser's session with the BFF (`app/api/session`). The cookie itself is out of reach of scripts. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Tabs } from "./tabs.ts";

export interface Customer {
  id: string;
  name: string;
}

export interface SessionAnswer {
  /** Null for a guest. */
  customer: Customer | null;
}

export const clientHeaders = { "X-Chat-Client": "1" } as const;

/**
 * Starts a session where there is none, and says whose it is. One tab at a time: two sessions made at once would take
 * each other's chats away.
 */
export async function startSession(tabs: Tabs): Promise<SessionAnswer> {
  let answer: SessionAnswer = { customer: null };
  await tabs.exclusively("session", async () => {
    const response = await fetch("/api/session", {
      method: "POST",
      headers: { ...clientHeaders, "Content-Type": "application/json" },
      body: "{}",
    });
    if (!response.ok) throw new ChatApiError("session_required");
    const body: { item: SessionAnswer } = await response.json();
    answer = body.item;
  });
  return answer;
}
