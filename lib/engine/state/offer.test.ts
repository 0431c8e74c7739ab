import { expect, test } from "vitest";
import type { ChatMode, HandoffStatus } from "../../chat-api/chat.ts";
import { aHandoff, anOffer } from "../../chat-api/testing/builders.ts";
import { aChat, aConversation, aMessage } from "../testing/builders.ts";
import { isAcceptable } from "./offer.ts";

const handoffOffer = anOffer();

/** Whether an offer of `createdAt` may be accepted. */
function acceptable(
  createdAt: string | null,
  status: HandoffStatus | null,
  mode: ChatMode = "agent",
): boolean {
  const message = aMessage({ createdAt, handoffOffer });
  const chat = aChat({
    mode,
    handoff: status === null ? null : aHandoff({ status, requestedAt: "2026-06-02T10:00:00.000Z" }),
  });
  return isAcceptable(aConversation({ chat, messages: [message] }), message.id);
}

test("accepts an offer only while the agent has the chat", () => {
  expect(acceptable("2026-06-02T09:59:00.000Z", null)).toBe(true);
  for (const mode of ["waiting", "teammate", "resolved"] as const)
    expect(acceptable("2026-06-02T09:59:00.000Z", null, mode), mode).toBe(false);
});

test("accepts only offers made after the last handoff request, even a failed one", () => {
  for (const status of ["failed", "claimed", "resolved", "waiting"] as const) {
    expect(acceptable("2026-06-02T09:59:00.000Z", status), status).toBe(false);
    expect(acceptable("2026-06-02T10:00:00.000Z", status), status).toBe(false);
    expect(acceptable(null, status), status).toBe(false);
    expect(acceptable("2026-06-02T10:00:00.001Z", status), status).toBe(true);
  }
});

test("accepts only the latest offer", () => {
  const [first, second] = [aMessage({ handoffOffer }), aMessage({ handoffOffer })];
  const state = aConversation({ messages: [first, second] });
  expect(isAcceptable(state, first.id)).toBe(false);
  expect(isAcceptable(state, second.id)).toBe(true);
});
