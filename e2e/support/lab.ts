/** The channel's lab and team inbox, for journeys that need the agent, the team or a fault at a given moment. */
import { expect } from "@playwright/test";
import { testKeys } from "./world.ts";

export const channelUrl = `http://127.0.0.1:${process.env["E2E_CHANNEL_PORT"] ?? "4900"}`;

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${channelUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${testKeys.teamKey}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true);
  return text === "" ? null : JSON.parse(text);
}

export const lab = {
  /** The agent's next reply in this chat. */
  reply: (chatId: string, reply: object) => call("POST", "/lab/reply", { chatId, reply }),
  /** A reply of this chat that waits goes on: up to so many words, or to its end. */
  goOn: (chatId: string, holdsAfter?: number) =>
    call("POST", "/lab/reply/continue", { chatId, ...(holdsAfter === undefined ? {} : { holdsAfter }) }),
  /** The next operations of this chat meet this fault. */
  fault: (chatId: string, fault: { operation: string; code: string; times?: number }) =>
    call("POST", "/lab/faults", { chatId, fault: "error", at: "request", ...fault }),
  /** Brings a chat in; gives it back if it is there already. */
  importChat: (chat: object) => call("POST", "/lab/chats", chat),
  deleteChat: (chatId: string) => call("DELETE", `/lab/chats/${chatId}`),
};

export const team = {
  claim: (chatId: string, name: string) => call("POST", `/team/chats/${chatId}/claim`, { name }),
  write: (chatId: string, text: string) => call("POST", `/team/chats/${chatId}/messages`, { text }),
  resolve: (chatId: string) => call("POST", `/team/chats/${chatId}/resolve`, {}),
};

/** A reply of 40 words that is still being written after the first five, until the test lets it go on: `lab.goOn`. */
export function heldReply() {
  const deltas = Array.from({ length: 40 }, (_, index) => `word${index} `);
  return { text: deltas.join(""), deltas, holdsAfter: 5 };
}
