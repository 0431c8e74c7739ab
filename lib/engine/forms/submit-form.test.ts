import { expect, test, vi } from "vitest";
import type { Collection, SubmitCollectionBody } from "../../chat-api/collection.ts";
import { ChatApiError, type ErrorCode } from "../../chat-api/errors.ts";
import { anOffer } from "../../chat-api/testing/builders.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import type { ConversationState } from "../state/state.ts";
import { aChat, aCollection, aConversation, aMessage, aRequest } from "../testing/builders.ts";
import { inertRuntime } from "../testing/inert-runtime.ts";
import { withSessionStorage } from "../testing/session-storage.ts";
import { formEnd } from "./form-end.ts";
import { submitForm } from "./submit-form.ts";

const body: SubmitCollectionBody = {
  collectionRequestId: "request-1",
  expectedVersion: 1,
  action: "save",
  values: new Map([["name", "Maya"]]),
};
const offeringChat = (id: string, confirmationId: string): ConversationState =>
  aConversation({
    chatId: id,
    createKey: `key-of-${id}`,
    chat: aChat({ id }),
    messages: [aMessage({ chatId: id, handoffOffer: anOffer({ confirmationId }) })],
    collection: aCollection({ pendingAction: "handoff" }),
  });

withSessionStorage();

/** Submits the form of one chat while the customer opens another. */
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

/** A server that refuses all forms with one code, and the keys of the requests it got. */
function refusing(code: ErrorCode) {
  const keys: string[] = [];
  const submitCollection: ChatClient["submitCollection"] = async (_chatId, _body, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    throw new ChatApiError(code);
  };
  return { keys, submitCollection };
}

test("submits answers and continues the handoff in their own chat after a switch", async () => {
  const item = aChat({ id: "chat_number_1" });
  const handoff = vi.fn<ChatClient["handoff"]>(async () => ({ item, replayed: false }));
  const { result, concerned } = await submitAndLeave({ handoff });
  expect(result.kind).toBe("done");
  await expect.poll(concerned).toEqual(["chat_number_1", "chat_number_1"]);
  expect(handoff.mock.calls.map(([chatId, { confirmationId }]) => [chatId, confirmationId])).toEqual([
    ["chat_number_1", "c-1"],
  ]);
});

test("polls after a submission and continues the handoff once the form is complete", async () => {
  const request = { id: "request-1", collectionId: "details", purpose: "", fields: [], complete: false };
  const leave = { canSkip: false, canCancel: true };
  for (const { asked, continues } of [
    { asked: null, continues: true },
    { asked: { ...request, ...leave, complete: true }, continues: true },
    { asked: { ...request, ...leave }, continues: false },
  ]) {
    const handoff = vi.fn<ChatClient["handoff"]>(async () => ({ item: aChat(), replayed: false }));
    const syncSoon = vi.fn(async () => undefined);
    const item = aCollection({ version: 2, pendingAction: "handoff", request: asked });
    const submitCollection = async () => ({ item, replayed: false });
    const runtime = inertRuntime(offeringChat("chat_number_1", "c-1"), {
      client: { submitCollection, handoff },
      history: { syncSoon },
    });
    await submitForm(runtime, body, () => undefined);
    // Polls in both cases: for the team or for the form.
    await expect.poll(() => syncSoon).toHaveBeenCalledOnce();
    expect(handoff, JSON.stringify(asked)).toHaveBeenCalledTimes(continues ? 1 : 0);
  }
});

test("reads a form of its own chat again after a refusal", async () => {
  const { submitCollection } = refusing("version_conflict");
  const { result, concerned } = await submitAndLeave({ submitCollection });
  expect(result.kind).toBe("failed");
  expect(concerned()).toEqual(["chat_number_1"]);
});

test("reads the chat again when it refuses a form as closed", async () => {
  const syncSoon = vi.fn(async () => undefined);
  const { submitCollection } = refusing("chat_closed");
  const client = { submitCollection, getCollection: async () => aCollection() };
  const runtime = inertRuntime(offeringChat("chat_closed_1", "c-1"), { client, history: { syncSoon } });
  await submitForm(runtime, body, () => undefined);
  expect(syncSoon).toHaveBeenCalledOnce();
});

test("reuses the key for equal answers only after an unknown outcome", async () => {
  for (const [code, count] of [
    ["upstream_unreachable", 1],
    ["internal_error", 1],
    ["invalid_submission", 2],
  ] as const) {
    const { keys, submitCollection } = refusing(code);
    await submitAndLeave({ submitCollection });
    await submitAndLeave({ submitCollection });
    expect(new Set(keys).size, code).toBe(count);
    expect(keys.length).toBeGreaterThanOrEqual(2);
    window.sessionStorage.removeItem("shop-chat:1:tab:submission:chat_number_1");
  }
});

test("stores how the form ended and repeats the handoff unless it was cancelled", async () => {
  for (const [action, handoffs] of [
    ["cancel", 0],
    ["skip", 1],
    ["save", 1],
  ] as const) {
    const chatId = `chat_${action}_1`;
    const handoff = vi.fn<ChatClient["handoff"]>(async () => ({
      item: aChat({ id: chatId }),
      replayed: false,
    }));
    const syncSoon = vi.fn(async () => undefined);
    const item = aCollection({ version: 2 });
    const runtime = inertRuntime(offeringChat(chatId, "c-1"), {
      client: { submitCollection: async () => ({ item, replayed: false }), handoff },
      history: { syncSoon },
    });
    await submitForm(runtime, { ...body, action }, () => undefined);
    await expect.poll(() => syncSoon).toHaveBeenCalledOnce();
    expect(handoff, action).toHaveBeenCalledTimes(handoffs);
    expect(formEnd(chatId, "request-1", [], null)).toBe(action);
  }
});

test("sends equal answers to a later form as a new request", async () => {
  const keys: string[] = [];
  const submitCollection: ChatClient["submitCollection"] = async (_chatId, _body, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    return { item: aCollection({ version: 2 }), replayed: false };
  };
  const runtime = inertRuntime(aConversation(), { client: { submitCollection } });
  await submitForm(runtime, body, () => undefined);
  await submitForm(runtime, body, () => undefined);
  expect(new Set(keys).size).toBe(2);
});

/** Submits a form whose version is out of date. `changes` differ in the collection that the server has. */
async function submitOutdated(changes: Partial<Collection>) {
  const versions: number[] = [];
  const shown = aCollection({ request: aRequest({ id: "request-1" }) });
  const current = { ...shown, version: 5, ...changes };
  const runtime = inertRuntime(aConversation({ collection: shown }), {
    client: {
      getCollection: async () => current,
      submitCollection: async (_chatId, { expectedVersion }) => {
        versions.push(expectedVersion);
        if (expectedVersion < current.version) throw new ChatApiError("version_conflict");
        return { item: { ...current, version: 6 }, replayed: false };
      },
    },
  });
  const { kind } = await submitForm(runtime, body, () => undefined);
  return { kind, versions };
}

test("submits again by itself when only the form's version has changed", async () => {
  expect(await submitOutdated({})).toEqual({ kind: "done", versions: [1, 5] });
});

test("leaves a conflict to the customer when another field or value is on screen", async () => {
  const name = { fieldId: "name", value: "Mara", status: "accepted", actor: "teammate" } as const;
  const values = [{ ...name, updatedAt: "2026-06-02T09:05:00.000Z" }];
  expect(await submitOutdated({ values })).toEqual({ kind: "failed", versions: [1] });
  const request = aRequest({ id: "request-1", canSkip: true });
  expect(await submitOutdated({ request })).toEqual({ kind: "failed", versions: [1] });
});
