import { expect, test, vi } from "vitest";
import type { Chat } from "../../chat-api/chat.ts";
import { ChatApiError } from "../../chat-api/errors.ts";
import { aChat } from "../../chat-api/testing/builders.ts";
import { createOwnership } from "./ownership.ts";

const chat = aChat({ userId: "maya" });

/** An ownership check whose reads of the chat return these results in turn. */
function ownershipOf(responses: (Chat | ChatApiError)[], requireOpen: () => void = () => undefined) {
  const waits: number[] = [];
  let reads = 0;
  const ownership = createOwnership({
    async readChat() {
      const response = responses[reads] ?? responses.at(-1);
      reads += 1;
      if (response instanceof Error || response === undefined) throw response;
      return response;
    },
    sleep: async (milliseconds) => void waits.push(milliseconds),
    requireOpen,
  });
  return { ownership, waits, reads: () => reads };
}

const unreachable = new ChatApiError("upstream_unreachable");
const unavailable = new ChatApiError("service_unavailable");

test("retries a write's owner check until the Chat API is reachable again", async () => {
  const { ownership, waits, reads } = ownershipOf([unreachable, unavailable, unreachable, chat]);
  expect(await ownership.require(["maya"], chat.id, true)).toEqual({ userId: "maya", chat });
  expect(waits).toHaveLength(3);
  expect(await ownership.require(["maya"], chat.id, true)).toEqual({ userId: "maya", chat: undefined });
  expect(reads()).toBe(4);
});

test("does not retry after chat_not_found or for a foreign chat", async () => {
  const gone = ownershipOf([new ChatApiError("chat_not_found")]);
  await expect(gone.ownership.require(["maya"], chat.id, true)).rejects.toMatchObject({
    code: "chat_not_found",
  });
  const foreign = ownershipOf([chat]);
  await expect(foreign.ownership.require(["lukas"], chat.id, true)).rejects.toMatchObject({
    code: "chat_not_found",
  });
  expect([...gone.waits, ...foreign.waits]).toEqual([]);
});

test("reads a chat once, whichever of the users owns it, or none", async () => {
  const { ownership, reads } = ownershipOf([chat]);
  expect(await ownership.require(["lukas", "maya"], chat.id, true)).toEqual({ userId: "maya", chat });
  expect(reads()).toBe(1);
  const gone = ownershipOf([new ChatApiError("chat_not_found")]);
  await expect(gone.ownership.require(["lukas", "maya"], chat.id, true)).rejects.toMatchObject({
    code: "chat_not_found",
  });
  expect(gone.reads()).toBe(1);
});

test("counts the time of slow reads towards the deadline of an owner check", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  let reads = 0;
  const ownership = createOwnership({
    async readChat() {
      reads += 1;
      vi.advanceTimersByTime(10_000);
      throw unreachable;
    },
    sleep: async (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    requireOpen: () => undefined,
  });
  await expect(ownership.require(["maya"], chat.id, true)).rejects.toBe(unreachable);
  // Reads begin at 0, 12 and 24 s. A fourth would begin after the deadline of 25 s.
  expect(reads).toBe(3);
});

test("stops retrying the owner check when the process stops", async () => {
  const { ownership, waits } = ownershipOf([unreachable], () => {
    throw unavailable;
  });
  await expect(ownership.require(["maya"], chat.id, true)).rejects.toBe(unavailable);
  expect(waits).toHaveLength(1);
});
