import { beforeEach, expect, test, vi } from "vitest";
import type { SubmitCollectionBody } from "#lib/chat-api/collection.ts";
import { ChatApiError, type ErrorCode } from "#lib/chat-api/errors.ts";
import type { ChatClient } from "#lib/chat-client/client.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { aChat, aCollection, aConversation, aMessage } from "#lib/conversation/testing/builders.ts";
import { inertRuntime } from "../fixtures/inert-runtime.ts";
import { submitForm } from "./submit-form.ts";

const body: SubmitCollectionBody = {
  collectionRequestId: "request-1",
  expectedVersion: 1,
  action: "save",
  values: new Map([["name", "Maya"]]),
};
const offer = { requiresEmail: false, nextAvailableAt: null, timezone: null };
const offeringChat = (id: string, confirmationId: string): ConversationState =>
  aConversation({
    chatId: id,
    createKey: `key-of-${id}`,
    chat: aChat({ id }),
    messages: [aMessage({ chatId: id, handoffOffer: { ...offer, confirmationId } })],
    collection: aCollection({ pendingAction: "handoff" }),
  });

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("window", {
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    },
  });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("reportError", (error: unknown) => {
    throw error;
  });
  return () => vi.unstubAllGlobals();
});

/** Sends the form of one chat, while the customer opens another. */
async function submitAndLeave(client: Partial<ChatClient>) {
  const [first, second] = [offeringChat("chat_number_1", "c-1"), offeringChat("chat_number_2", "c-2")];
  let onScreen = first;
  const publish = vi.fn();
  const submitCollection: ChatClient["submitCollection"] = async (...given) => {
    onScreen = second;
    return client.submitCollection?.(...given) ?? { item: aCollection({ version: 2 }), replayed: false };
  };
  const runtime = inertRuntime(first, {
    getState: () => onScreen,
    publish,
    client: { getCollection: async () => aCollection(), ...client, submitCollection },
  });
  const result = await submitForm(runtime, body, () => undefined);
  return { result, concerned: () => publish.mock.calls.map(([{ chatId }]) => chatId) };
}

/** A server that refuses all forms so, and what keys it was asked with. */
function refusing(code: ErrorCode) {
  const keys: string[] = [];
  const submitCollection: ChatClient["submitCollection"] = async (_chatId, _body, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    throw new ChatApiError(code);
  };
  return { keys, submitCollection };
}

test("the answers to one chat's form, and the way to the team, are not another's that was opened meanwhile", async () => {
  const item = aChat({ id: "chat_number_1" });
  const handoff = vi.fn<ChatClient["handoff"]>(async () => ({ item, replayed: false }));
  const { result, concerned } = await submitAndLeave({ handoff });
  expect(result.kind).toBe("done");
  await expect.poll(concerned).toEqual(["chat_number_1", "chat_number_1"]);
  expect(handoff.mock.calls.map(([chatId, { confirmationId }]) => [chatId, confirmationId])).toEqual([
    ["chat_number_1", "c-1"],
  ]);
});

test("once the form is complete the way to the team goes on, also where the form stays open, and not before", async () => {
  const request = { id: "request-1", collectionId: "details", purpose: "", fields: [], complete: false };
  const leave = { canSkip: false, canCancel: true };
  for (const { asked, goesOn } of [
    { asked: null, goesOn: true },
    { asked: { ...request, ...leave, complete: true }, goesOn: true },
    { asked: { ...request, ...leave }, goesOn: false },
  ]) {
    const handoff = vi.fn<ChatClient["handoff"]>(async () => ({ item: aChat(), replayed: false }));
    const syncSoon = vi.fn(async () => undefined);
    const item = aCollection({ version: 2, pendingAction: "handoff", request: asked });
    const submitCollection = async () => ({ item, replayed: false });
    const runtime = inertRuntime(offeringChat("chat_number_1", "c-1"), {
      client: { submitCollection, handoff },
      syncSoon,
    });
    await submitForm(runtime, body, () => undefined);
    // Either way it looks for news: of the team's, or of the form's.
    await expect.poll(() => syncSoon).toHaveBeenCalledOnce();
    expect(handoff, JSON.stringify(asked)).toHaveBeenCalledTimes(goesOn ? 1 : 0);
  }
});

test("a form that was refused is read anew for the chat that it is in", async () => {
  const { submitCollection } = refusing("version_conflict");
  const { result, concerned } = await submitAndLeave({ submitCollection });
  expect(result.kind).toBe("failed");
  expect(concerned()).toEqual(["chat_number_1"]);
});

test("after an outcome that nobody knows the same answers go out under the same key, else under a new one", async () => {
  for (const [code, count] of [
    ["upstream_unreachable", 1],
    ["internal_error", 1],
    ["invalid_submission", 2],
  ] as const) {
    const { keys, submitCollection } = refusing(code);
    await submitAndLeave({ submitCollection });
    await submitAndLeave({ submitCollection });
    expect(new Set(keys).size, code).toBe(count);
    expect(keys).toHaveLength(2);
    window.sessionStorage.removeItem("shop-chat:1:tab:submission:chat_number_1");
  }
});
