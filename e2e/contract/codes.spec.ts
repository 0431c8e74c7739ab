/** Causes every error code (docs/chat-api.md, "Error codes"), by requests or with the lab. */
import { type Api, itemOf } from "./support/api.ts";
import type { PlannedChat } from "./support/chats.ts";
import { aForm, submissionFor } from "./support/forms.ts";
import { alwaysOpen } from "./support/hours.ts";
import type { WholeResponse } from "./support/http.ts";
import { type Lab, runningTurn } from "./support/lab.ts";
import { largestFile, textFile } from "./support/samples.ts";
import type { Chat } from "./support/shapes.ts";
import { type Code, codes, limits, statusOf } from "./support/specification.ts";
import { expectError, lab, test } from "./support/test.ts";

type Planned = (name: PlannedChat) => Promise<Chat>;

const json = { "Content-Type": "application/json" };
const hello = { text: "Hello" };

/** Errors that any caller can cause. `chatId` is a chat without messages. */
const byCaller: Partial<
  Record<Code, (api: Api, chatId: string, planned: Planned) => Promise<WholeResponse>>
> = {
  invalid_json: (api, chatId) => api.call("sendMessage", { chatId, body: "[]", headers: json }),
  invalid_request: (api, chatId) => api.call("sendMessage", { chatId, json: {} }),
  invalid_id: (api) => api.call("getChat", { chatId: "short" }),
  invalid_cursor: (api, chatId) => api.call("listMessages", { chatId, query: "?cursor=made-up" }),
  unsupported_resume: (api, chatId) =>
    api.call("sendMessage", {
      chatId,
      json: hello,
      headers: { Accept: "text/event-stream", "Last-Event-ID": "1" },
    }),
  invalid_api_key: (api, chatId) => api.call("getChat", { chatId, authorization: null }),
  origin_not_allowed: (api, chatId) =>
    api.call("getChat", { chatId, headers: { Origin: "https://shop.example" } }),
  not_found: (api) => api.request("GET", "/v1/nope", { headers: api.authorized }),
  chat_not_found: (api) => api.call("getChat", { chatId: "unknown-chat-id" }),
  file_not_found: (api, chatId) => api.call("downloadFile", { chatId, fileId: "unknown-file-id" }),
  method_not_allowed: (api, chatId) =>
    api.request("DELETE", api.path("getChat", { chatId }), { headers: api.authorized }),
  unsupported_accept: (api, chatId) =>
    api.call("sendMessage", { chatId, json: hello, headers: { Accept: "text/html" } }),
  idempotency_conflict: async (api, chatId) => {
    const key = crypto.randomUUID();
    await api.upload(chatId, textFile("one"), { key });
    return api.upload(chatId, textFile("other"), { key });
  },
  file_limit_reached: async (api, _chatId, planned) => {
    const { id: chatId } = await planned("manyFiles");
    const keys = Array.from({ length: limits.filesPerChat }, () => crypto.randomUUID());
    for (const [n, key] of keys.entries()) await api.uploadFile(chatId, textFile(`${n}`), { key });
    // A repeated upload does not count as another file.
    itemOf(await api.upload(chatId, textFile("0"), { key: keys[0] ?? null }), 200);
    return api.upload(chatId, textFile("one more"));
  },
  file_storage_limit: async (api, _chatId, planned) => {
    const { id: chatId } = await planned("muchStorage");
    const fitting = limits.storageBytes / limits.fileBytes;
    for (let n = 0; n < fitting; n += 1) await api.uploadFile(chatId, { bytes: largestFile });
    return api.upload(chatId, textFile("one byte too many"));
  },
  confirmation_required: (api, chatId) =>
    api.call("handoff", { chatId, json: { confirmationId: "never-offered" } }),
  payload_too_large: (api, chatId) =>
    api.call("sendMessage", { chatId, body: '{"text":"a"}'.padEnd(limits.jsonBytes + 1), headers: json }),
  unsupported_media_type: (api, chatId) =>
    api.call("sendMessage", { chatId, body: '{"text":"a"}', headers: { "Content-Type": "text/plain" } }),
  unsupported_file: (api, chatId) =>
    api.upload(chatId, { bytes: Buffer.from("<svg/>"), mediaType: "image/svg+xml" }),
};

/** Errors that need the lab: no caller can quickly cause their state, limit or fault. */
const withLab: Partial<Record<Code, (api: Api, lab: Lab, chat: Chat) => Promise<WholeResponse>>> = {
  invalid_submission: async (api, lab, { id: chatId }) => {
    await lab.askForForm(chatId, aForm());
    await api.sendMessage(chatId, hello);
    const form = submissionFor(await api.getCollection(chatId));
    const values = { reference: "TT-1", email: "not an address" };
    return api.call("submitCollection", { chatId, json: { ...form, action: "save", values } });
  },
  channel_disabled: async (api, lab, { id: chatId }) => {
    await lab.changeChannel({ published: false });
    return api.call("getChat", { chatId });
  },
  workspace_suspended: async (api, lab, { id: chatId }) => {
    await lab.changeChannel({ suspended: true });
    return api.call("getChat", { chatId });
  },
  idempotency_key_expired: async (api, lab) => {
    const key = crypto.randomUUID();
    await api.createChat({}, { key });
    await lab.advance(31 * limits.daySeconds);
    return api.call("createChat", { json: {}, key });
  },
  idempotency_resource_gone: async (api, lab) => {
    const key = crypto.randomUUID();
    const chat = await api.createChat({}, { key });
    await lab.deleteChat(chat.id);
    return api.call("createChat", { json: {}, key });
  },
  turn_in_progress: async (api, lab, { id: chatId }) => {
    const running = await runningTurn(api, lab, chatId);
    const response = await api.call("sendMessage", { chatId, json: { text: "And another" } });
    await running.end();
    return response;
  },
  operation_interrupted: async (api, lab, { id: chatId }) => {
    await lab.script(chatId, { text: "Never", fails: true });
    return api.call("sendMessage", { chatId, json: hello });
  },
  operation_superseded: async (api, lab, { id: chatId }) => {
    await lab.script(chatId, { text: "Too late.", deltas: ["Too ", "late."], holdsAfter: 1 });
    const key = crypto.randomUUID();
    const stream = await api.stream(chatId, hello, { key });
    await stream.until("start");
    await lab.claim(chatId, "Priya N.");
    await stream.all();
    return api.call("sendMessage", { chatId, json: hello, key });
  },
  operation_capacity_reached: async (api, lab, { id: chatId }) => {
    await lab.changeLimits({ operationsPerChat: 2 });
    for (const text of ["one", "two"]) await api.sendMessage(chatId, { text });
    return api.call("sendMessage", { chatId, json: { text: "three" } });
  },
  chat_closed: async (api, lab, { id: chatId }) => {
    await lab.resolve(chatId);
    return api.call("sendMessage", { chatId, json: hello });
  },
  version_conflict: async (api, lab, { id: chatId }) => {
    await lab.askForForm(chatId, aForm());
    await api.sendMessage(chatId, hello);
    const { collectionRequestId, expectedVersion } = submissionFor(await api.getCollection(chatId));
    const json = { collectionRequestId, expectedVersion: expectedVersion + 1, action: "cancel" };
    return api.call("submitCollection", { chatId, json });
  },
  file_not_ready: async (api, lab, { id: chatId }) => {
    const file = await api.uploadFile(chatId, textFile("a"));
    await lab.setFileReady(file.id, false);
    return api.call("downloadFile", { chatId, fileId: file.id });
  },
  collection_incomplete: async (api, lab, { id: chatId }) => {
    await lab.setHours(alwaysOpen);
    await lab.offerHandoff(chatId, aForm());
    const { reply } = await api.sendMessage(chatId, hello);
    const confirmationId = reply?.handoffOffer?.confirmationId;
    return api.call("handoff", { chatId, json: { confirmationId } });
  },
  cursor_expired: async (api, lab, { id: chatId }) => {
    await api.sendMessage(chatId, hello);
    const { nextCursor } = await api.listMessages(chatId, "?limit=1");
    await lab.expireCursors();
    return api.call("listMessages", { chatId, query: `?cursor=${nextCursor}` });
  },
  rate_limited: async (api, lab, { id: chatId }) => {
    await lab.changeLimits({ requestsPerMinute: 1 });
    await api.call("getChat", { chatId });
    return api.call("getChat", { chatId });
  },
  capacity_limited: async (api, lab) => {
    await lab.changeLimits({ concurrentTurns: 0 });
    return api.call("createChat", { json: {} });
  },
  chat_limit_reached: async (api, lab) => {
    await lab.changeLimits({ chatsPerChannel: 1 });
    return api.call("createChat", { json: {} });
  },
  internal_error: async (api, lab, { id: chatId }) => {
    await lab.addFault({ operation: "getChat", fault: "error", code: "internal_error", times: 1 });
    return api.call("getChat", { chatId });
  },
  service_unavailable: async (api, lab, { id: chatId }) => {
    await lab.addFault({ operation: "sendMessage", fault: "error", code: "service_unavailable", times: 1 });
    return api.call("sendMessage", { chatId, json: hello });
  },
};

for (const code of codes) {
  const byAnyone = byCaller[code];
  const byLab = withLab[code];
  if (byAnyone !== undefined) {
    test(`${code} is answered with ${statusOf(code)}`, async ({ api, planned, sharedChatId: chatId }) => {
      test.slow(code === "file_storage_limit", "sends 80 MiB");
      expectError(await byAnyone(api, chatId, planned), code);
    });
  } else if (byLab !== undefined) {
    test(`${code} is answered with ${statusOf(code)}`, lab, async ({ api, lab, freshChat }) => {
      expectError(await byLab(api, lab, freshChat), code);
    });
  } else {
    throw new Error(`No test causes ${code}.`);
  }
}
