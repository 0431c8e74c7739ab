import { expect, test, vi } from "vitest";
import { ChatApiError, type ErrorCode, errorRules } from "../../chat-api/errors.ts";
import { anOffer } from "../../chat-api/testing/builders.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import { aChat, aConversation, aMessage } from "../testing/builders.ts";
import { inertRuntime } from "../testing/inert-runtime.ts";
import { withSessionStorage } from "../testing/session-storage.ts";
import { acceptOffer, continueHandoff, emailForTeam, emailName } from "./accept-offer.ts";
import { offerAttempt } from "./offer-attempts.ts";

const kept = withSessionStorage();

let made = 0;

/** A chat with an offer. Handoff requests fail with these errors in order; later ones succeed. */
function offering(...codes: (ErrorCode | ChatApiError | null)[]) {
  made += 1;
  const chatId = `chat_offer_${made}`;
  const handoffOffer = anOffer({ confirmationId: "c-1", requiresEmail: true });
  const state = aConversation({
    chatId,
    chat: aChat({ id: chatId }),
    messages: [aMessage({ chatId, handoffOffer })],
  });
  const keys: string[] = [];
  const handoff = vi.fn<ChatClient["handoff"]>(async (_chatId, _body, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    const code = codes.shift() ?? null;
    if (code !== null) throw code instanceof ChatApiError ? code : new ChatApiError(code);
    return { item: aChat({ id: chatId, mode: "waiting" }), replayed: false };
  });
  const publish = vi.fn();
  const syncSoon = vi.fn(async () => undefined);
  const runtime = inertRuntime(state, { client: { handoff }, publish, history: { syncSoon } });
  const accept = () =>
    acceptOffer(runtime, {
      conversation: state,
      confirmationId: "c-1",
      email: "ada@example.com",
      locale: "de",
    });
  return { chatId, state, runtime, accept, handoff, keys, publish, syncSoon };
}

test("clears an accepted offer and shows the chat with the team", async () => {
  const { chatId, accept, publish, runtime, syncSoon } = offering();
  kept.set(`shop-chat:1:tab:${emailName(chatId)}`, "ada@example.com");
  await accept();
  expect(publish.mock.calls.map(([, action]) => action.type)).toEqual(["chat_read"]);
  expect(offerAttempt(chatId)).toBeNull();
  expect(emailForTeam(runtime)).toBeNull();
  expect([...kept.keys()].filter((name) => name.endsWith(chatId))).toEqual([]);
  expect(syncSoon).toHaveBeenCalledOnce();
});

test("keeps a refused offer refused across a reload", async () => {
  const { chatId, accept, syncSoon } = offering("confirmation_required");
  await accept();
  const attempt = { confirmationId: "c-1", state: "failed", failure: { code: "confirmation_required" } };
  expect(offerAttempt(chatId)).toMatchObject(attempt);
  expect(syncSoon).toHaveBeenCalledOnce();
  vi.resetModules();
  const reloaded = await import("./offer-attempts.ts");
  expect(reloaded.offerAttempt(chatId)).toMatchObject(attempt);
});

test.each([90, 5])("continues a wait of %i s that the server asked for after a reload", async (seconds) => {
  const limited = new ChatApiError("rate_limited", { retryAfterSeconds: seconds });
  const { chatId, accept, runtime } = offering(limited);
  // The customer reloads the page during an automatic wait.
  const waits = vi.spyOn(runtime, "sleep").mockReturnValue(new Promise(() => undefined));
  void accept();
  await expect.poll(() => waits.mock.calls.length > 0 || offerAttempt(chatId)?.state === "failed").toBe(true);
  vi.resetModules();
  const reloaded = await import("./offer-attempts.ts");
  expect(reloaded.offerAttempt(chatId)).toMatchObject({
    state: "failed",
    failure: { code: "rate_limited", retryAfterSeconds: seconds, at: expect.any(Number) },
  });
});

test.each([
  ["chat_closed", { type: "chat_read", chat: { mode: "resolved" } }],
  ["chat_not_found", { type: "sync_failed", failure: { code: "chat_not_found" } }],
] as const)("shows at once that the chat has ended after %s", async (code, action) => {
  const { accept, publish } = offering(code);
  await accept();
  expect(publish.mock.calls.map(([, published]) => published)).toMatchObject([action]);
});

test("polls after a refusal unless the server asks for a wait", async () => {
  const final = (Object.keys(errorRules) as ErrorCode[]).filter((code) => errorRules[code].retry === "never");
  expect(final).toContain("chat_closed");
  for (const code of final) {
    const { accept, syncSoon } = offering(code);
    await accept();
    expect(syncSoon, code).toHaveBeenCalledOnce();
  }
  const { accept, syncSoon } = offering(new ChatApiError("rate_limited", { retryAfterSeconds: 90 }));
  await accept();
  expect(syncSoon).not.toHaveBeenCalled();
});

test("ignores a damaged attempt in the storage", async () => {
  for (const [index, stored] of [
    "{",
    "7",
    '{"failure":{"code":"no_such_code"}}',
    '{"failure":7}',
  ].entries()) {
    kept.set(`shop-chat:1:tab:offer-failed:chat_damaged_${index}`, stored);
    expect(offerAttempt(`chat_damaged_${index}`)).toBeNull();
  }
});

test("repeats the request under a new key after the team's form", async () => {
  const { chatId, state, runtime, accept, handoff, keys } = offering("collection_incomplete");
  await accept();
  expect(offerAttempt(chatId)).toMatchObject({ failure: { code: "collection_incomplete" } });
  expect(emailForTeam(runtime)).toBe("ada@example.com");
  await continueHandoff(runtime, state);
  expect(handoff.mock.calls.map(([, body]) => body)).toEqual([
    { confirmationId: "c-1", email: "ada@example.com", locale: "de" },
    { confirmationId: "c-1", email: "ada@example.com", locale: "de" },
  ]);
  expect(new Set(keys).size).toBe(2);
  expect(offerAttempt(chatId)).toBeNull();
});

test("shows a failed repetition on the offer's card", async () => {
  const { chatId, state, runtime, accept } = offering("collection_incomplete", "chat_limit_reached");
  await accept();
  await continueHandoff(runtime, state);
  expect(offerAttempt(chatId)).toMatchObject({ state: "failed", failure: { code: "chat_limit_reached" } });
});

test("reuses the key after an unknown outcome", async () => {
  const { accept, keys } = offering("internal_error", "invalid_request");
  await accept();
  await accept();
  await accept();
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("repeats the request under its key when pressed again after an operator fault", async () => {
  const { accept, keys } = offering("chat_unavailable");
  await accept();
  await accept();
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});
