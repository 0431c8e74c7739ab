import { expect, test, vi } from "vitest";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import type { Collection } from "../../chat-api/collection.ts";
import {
  bffErrorCodes,
  ChatApiError,
  chatApiErrorCodes,
  type ErrorCode,
  errorRules,
} from "../../chat-api/errors.ts";
import { aField, anOffer } from "../../chat-api/testing/builders.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import type { Failure } from "../failure.ts";
import { createFailureOf } from "../failure.ts";
import { formStateOf } from "../state/forms-state.ts";
import type { ConversationState } from "../state/state.ts";
import { createChatStore } from "../state/store.ts";
import { createStorages } from "../storage/storage.ts";
import { aChat, aCollection, aConversation, aMessage, aRequest } from "../testing/builders.ts";
import { type MemoryBrowser, memoryBrowser } from "../testing/memory-browser.ts";
import { createForms } from "./forms.ts";

const nameForm = aCollection({
  fields: [aField({ id: "name" })],
  request: aRequest({ id: "request-1", fields: [{ fieldId: "name", required: true }] }),
});
const answeredForm = aCollection({ version: 2, fields: [aField({ id: "name" })] });

const chatOf = (id: string, more: Partial<ConversationState> = {}): ConversationState =>
  aConversation({
    chatId: id,
    createKey: `key-of-${id}`,
    chat: aChat({ id }),
    messages: [
      aMessage({ chatId: id, handoffOffer: anOffer({ confirmationId: "c-1", requiresEmail: true }) }),
    ],
    collection: nameForm,
    ...more,
  });

interface Client extends Partial<Pick<ChatClient, "submitCollection" | "handoff" | "getCollection">> {}

/** A tab with this conversation on screen, whose server answers like this. Waits end at once. */
function aTab(
  conversation: ConversationState,
  client: Client = {},
  { browser = memoryBrowser(), sleep = async () => undefined }: TabOptions = {},
) {
  const store = createChatStore(conversation, { browser, failureOf: createFailureOf() });
  const published: (string | null)[] = [];
  const ended: ErrorCode[] = [];
  const synced = vi.fn(async () => undefined);
  const forms = createForms({
    client: {
      getCollection: async () => store.conversation().collection ?? aCollection(),
      submitCollection: async () => ({ item: answeredForm, replayed: false }),
      handoff: async (chatId) => ({ item: aChat({ id: chatId, mode: "waiting" }), replayed: false }),
      ...client,
    },
    owner: "guest",
    store,
    tab: createStorages(browser, defaultBasePath).tab,
    sleep,
    signal: new AbortController().signal,
    isOnline: () => true,
    failureOf: createFailureOf(),
    locale: () => "de",
    publish(of, action) {
      published.push(of.chatId);
      store.apply(of, action);
    },
    syncSoon: synced,
    showEnd(_conversation, { code }: Failure) {
      const isEnd = code === "chat_closed" || code === "chat_not_found";
      if (isEnd) ended.push(code);
      return isEnd;
    },
  });
  const formOf = (id = "request-1") => formStateOf(store.getState().forms, id);
  const progress = () => formOf().progress.state;
  const attempt = () => store.getState().forms.offer.attempt;
  forms.show(conversation);
  store.subscribe(forms.onState);
  /** Types the one answer and sends it. */
  const fillIn = () => {
    forms.type("name", "Maya");
    return forms.submit();
  };
  return { forms, store, browser, published, ended, synced, formOf, progress, attempt, fillIn };
}

interface TabOptions {
  browser?: MemoryBrowser;
  sleep?: () => Promise<undefined>;
}

/** A function of the client that fails with these errors in order, then returns this; and the keys it got. */
function failing<T>(codes: (ErrorCode | ChatApiError)[], item: T) {
  const keys: string[] = [];
  const bodies: unknown[] = [];
  const left = [...codes];
  return {
    keys,
    bodies,
    async call(_chatId: string, body: unknown, { idempotencyKey }: { idempotencyKey: string }) {
      keys.push(idempotencyKey);
      bodies.push(body);
      const code = left.shift();
      if (code !== undefined) throw code instanceof ChatApiError ? code : new ChatApiError(code);
      return { item, replayed: false };
    },
  };
}

const forTeam = { collection: { ...nameForm, pendingAction: "handoff" as const } };

test("submits and continues the handoff in their own chat after a switch", async () => {
  const chat = chatOf("chat_left_1", forTeam);
  const handoff = failing([], aChat({ id: chat.chatId ?? "", mode: "waiting" }));
  const tab = aTab(chat, {
    handoff: handoff.call,
    async submitCollection() {
      tab.store.show(chatOf("chat_left_2"));
      tab.forms.show(chatOf("chat_left_2"));
      return { item: answeredForm, replayed: false };
    },
  });
  tab.fillIn();
  await expect.poll(() => handoff.bodies).toEqual([{ confirmationId: "c-1", locale: "de" }]);
  expect(new Set(tab.published)).toEqual(new Set(["chat_left_1"]));
});

test.each([
  ["save", null, 1],
  ["save", aRequest({ id: "request-1", complete: true }), 1],
  ["save", aRequest({ id: "request-1" }), 0],
  ["skip", null, 1],
  ["cancel", null, 0],
] as const)("after %s with %j left, the handoff is repeated %i times", async (action, request, times) => {
  const handoff = failing([], aChat({ mode: "waiting" }));
  const item = aCollection({ version: 2, pendingAction: "handoff", request });
  const { forms, fillIn, synced } = aTab(chatOf(`chat_${action}_${times}`, forTeam), {
    submitCollection: async () => ({ item, replayed: false }),
    handoff: handoff.call,
  });
  if (action === "save") fillIn();
  else forms.end(action);
  // Polls in both cases: for the team or for the form.
  await expect.poll(() => synced).toHaveBeenCalled();
  expect(handoff.keys).toHaveLength(times);
});

test.each([
  ["internal_error", 1],
  ["invalid_submission", 2],
] as const)("pressing again after %s uses %i key(s)", async (code, count) => {
  const { call, keys } = failing(
    Array.from({ length: 6 }, () => code),
    answeredForm,
  );
  const { forms, fillIn, progress } = aTab(chatOf(`chat_keys_${count}`), { submitCollection: call });
  fillIn();
  await expect.poll(progress).toBe("failed");
  forms.retry();
  await expect.poll(progress).toBe("failed");
  expect(new Set(keys).size).toBe(count);
});

test("says why a submission waits, and keeps the server's wait across a reload", async () => {
  const limited = new ChatApiError("rate_limited", { retryAfterSeconds: 40 });
  const chat = chatOf("chat_waiting_1");
  const { call } = failing([limited], answeredForm);
  const tab = aTab(chat, { submitCollection: call }, { sleep: () => new Promise(() => undefined) });
  tab.fillIn();
  await expect.poll(() => tab.formOf().progress).toMatchObject({ waiting: { code: "rate_limited" } });
  const reloaded = aTab(chat, {}, { browser: tab.browser });
  expect(reloaded.formOf().progress).toMatchObject({ state: "failed", failure: { retryAfterSeconds: 40 } });
  expect(reloaded.forms.submit().size).toBe(0);
  expect(reloaded.progress()).toBe("failed");
});

test("shows that the chat has ended when it refuses a form as closed", async () => {
  const { fillIn, ended, progress } = aTab(chatOf("chat_closed_1"), {
    submitCollection: failing(["chat_closed"], answeredForm).call,
  });
  fillIn();
  await expect.poll(progress).toBe("failed");
  expect(ended).toEqual(["chat_closed"]);
});

/** Submits a form whose version is out of date. `changes` differ in the collection that the server has. */
async function submitOutdated(changes: Partial<Collection>) {
  const versions: number[] = [];
  const current = { ...nameForm, version: 5, ...changes };
  const { fillIn, progress } = aTab(chatOf("chat_outdated_1"), {
    getCollection: async () => current,
    async submitCollection(_chatId, { expectedVersion }) {
      versions.push(expectedVersion);
      if (expectedVersion < current.version) throw new ChatApiError("version_conflict");
      return { item: { ...answeredForm, version: 6 }, replayed: false };
    },
  });
  fillIn();
  await expect.poll(progress).not.toBe("sending");
  return { progress: progress(), versions };
}

test("submits again by itself when only the form's version has changed", async () => {
  expect(await submitOutdated({})).toEqual({ progress: "filling", versions: [1, 5] });
});

test("leaves a conflict to the customer when another field or value is on screen", async () => {
  const name = { fieldId: "name", value: "Mara", status: "accepted", actor: "teammate" } as const;
  const values = [{ ...name, updatedAt: "2026-06-02T09:05:00.000Z" }];
  expect(await submitOutdated({ values })).toEqual({ progress: "failed", versions: [1] });
});

test("reads the collection once for each change of the chat that has a form", async () => {
  const getCollection = vi.fn(async () => nameForm);
  const { store } = aTab(chatOf("chat_read_1"), { getCollection });
  const changed = (updatedAt: string) =>
    store.dispatch({ type: "chat_read", chat: aChat({ id: "chat_read_1", updatedAt }) });
  changed("2026-06-02T09:10:00.000Z");
  await expect.poll(() => store.getState().forms.reading).toBe("done");
  changed("2026-06-02T09:10:00.000Z");
  changed("2026-06-02T09:11:00.000Z");
  await expect.poll(() => getCollection.mock.calls.length).toBe(2);
});

const offer = anOffer({ confirmationId: "c-1", requiresEmail: true });

/** A chat whose handoff requests fail with these errors in order; and the customer's address. */
function offering(name: string, ...codes: (ErrorCode | ChatApiError)[]) {
  const chat = chatOf(`chat_offer_${name}`, { collection: null });
  const handoff = failing(codes, aChat({ id: chat.chatId ?? "", mode: "waiting" }));
  const tab = aTab(chat, { handoff: handoff.call });
  tab.forms.typeEmail("ada@example.com");
  return { ...tab, chat, handoff };
}

test("fills in an offer with the address that a form of the chat has got", async () => {
  const email = { id: "mail", type: "email" } as const;
  const request = aRequest({ id: "request-1", fields: [{ fieldId: "mail", required: true }] });
  const { forms, formOf, store } = aTab(
    chatOf("chat_mail_1", { collection: { ...nameForm, fields: [aField(email)], request } }),
  );
  forms.type("mail", " ada@example.com ");
  expect(forms.submit().size).toBe(0);
  await expect.poll(() => formOf().end).toBe("save");
  expect(store.getState().forms.offer.email).toBe("ada@example.com");
});

test("keeps a refused offer refused, and the address, across a reload", async () => {
  const { forms, chat, browser, attempt, synced } = offering("refused", "confirmation_required");
  forms.accept(offer);
  await expect.poll(attempt).toMatchObject({ state: "failed" });
  expect(synced).toHaveBeenCalledOnce();
  const reloaded = aTab(chat, {}, { browser });
  expect(reloaded.store.getState().forms.offer).toMatchObject({
    email: "ada@example.com",
    attempt: { confirmationId: "c-1", state: "failed", failure: { code: "confirmation_required" } },
  });
});

test("polls after a refusal unless the server asks for a wait or the chat has ended", async () => {
  const codes: readonly ErrorCode[] = [...chatApiErrorCodes, ...bffErrorCodes];
  const final = codes.filter((code) => errorRules[code].retry === "never");
  for (const code of [...final, new ChatApiError("rate_limited", { retryAfterSeconds: 90 })]) {
    const name = code instanceof ChatApiError ? "limited" : code;
    const { forms, attempt, synced, ended } = offering(name, code);
    forms.accept(offer);
    await expect.poll(() => attempt()?.state).not.toBe("sending");
    expect(synced, name).toHaveBeenCalledTimes(name === "limited" || ended.length > 0 ? 0 : 1);
  }
});

test("repeats the handoff under a new key after the team's form, and shows its failure on the offer", async () => {
  const { forms, fillIn, store, attempt, handoff } = offering(
    "form",
    "collection_incomplete",
    "chat_limit_reached",
  );
  forms.accept(offer);
  await expect.poll(attempt).toMatchObject({ failure: { code: "collection_incomplete" } });
  store.dispatch({ type: "collection_read", collection: { ...nameForm, pendingAction: "handoff" } });
  fillIn();
  await expect.poll(attempt).toMatchObject({ failure: { code: "chat_limit_reached" } });
  const body = { confirmationId: "c-1", email: "ada@example.com", locale: "de" };
  expect(handoff.bodies).toEqual([body, body]);
  expect(new Set(handoff.keys).size).toBe(2);
});

test("reuses the key after an unknown outcome", async () => {
  const errors = Array.from({ length: 3 }, () => "internal_error" as const);
  const { forms, attempt, handoff } = offering("unknown", ...errors, "invalid_request");
  forms.accept(offer);
  await expect.poll(attempt).toMatchObject({ failure: { code: "internal_error" } });
  forms.accept(offer);
  await expect.poll(attempt).toMatchObject({ failure: { code: "invalid_request" } });
  forms.accept(offer);
  await expect.poll(attempt).toBeNull();
  expect(new Set(handoff.keys.slice(0, 4)).size).toBe(1);
  expect(new Set(handoff.keys).size).toBe(2);
});

test("ignores damaged entries in the tab's storage", () => {
  for (const stored of ["{", "7", '{"forms":7,"offer":7}']) {
    const browser = memoryBrowser();
    browser.tab.write("shop-chat:1:tab:forms:chat_damaged_1", stored);
    const { store } = aTab(chatOf("chat_damaged_1"), {}, { browser });
    expect(store.getState().forms.offer.attempt).toBeNull();
    expect(store.getState().forms.forms.size).toBe(0);
  }
});
