/** The chat server's latest attempts at writes to the Chat API, which a demo on this machine shows. */
import { LRUCache } from "lru-cache";
import type { ChatEvent } from "#lib/bff/server.ts";

/** The key of the channel's lab, which the launchers give a demo on this machine; otherwise undefined. */
export const labKey = process.env["DEMO_LAB_KEY"] || undefined;

/** Outcomes in their order, by the ID of the request that caused them. */
const latest = new LRUCache<string, readonly string[]>({ max: 100 });

export function attemptsOf(requestId: string): readonly string[] {
  return latest.get(requestId) ?? [];
}

function noteAttempt(event: ChatEvent): void {
  if (event.type !== "upstream" || event.requestId === undefined) return;
  const { requestId, operation, outcome } = event;
  if (operation === "sendMessage" || operation === "createChat")
    latest.set(requestId, [...attemptsOf(requestId), outcome]);
}

/** Options of the chat server, which writes no log by default once it is observed. */
export const attempts = labKey === undefined ? {} : { observe: noteAttempt, log: process.stdout };
