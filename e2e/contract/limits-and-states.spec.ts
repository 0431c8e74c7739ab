import { itemOf } from "./support/api.ts";
import { aForm, rightAnswers, submissionFor } from "./support/forms.ts";
import { alwaysOpen } from "./support/lab.ts";
import type { MessageTurn } from "./support/shapes.ts";
import { expect, expectError, lab, test } from "./support/test.ts";

test(
  "rejects new chats on an exhausted plan and serves existing ones",
  [lab, "errors.capacity"],
  async ({ api, lab, freshChat }) => {
    await lab.changeLimits({ chatsPerChannel: 1 });
    expectError(await api.call("createChat", { json: {} }), "chat_limit_reached");
    expect(await api.getChat(freshChat.id)).toEqual(freshChat);
  },
);

test(
  "creates the chat later under the key that the plan refused",
  [lab, "errors.capacity", "errors.repeat"],
  async ({ api, lab }) => {
    const key = crypto.randomUUID();
    await lab.changeLimits({ chatsPerChannel: 0 });
    expectError(await api.call("createChat", { json: {}, key }), "chat_limit_reached");
    await lab.changeLimits({ chatsPerChannel: null });
    await api.createChat({}, { key });
  },
);

for (const [code, limit] of [
  ["operation_capacity_reached", { operationsPerChat: 1 }],
  ["chat_limit_reached", { chatsPerChannel: 0 }],
] as const) {
  test(
    `rejects messages, submissions and handoffs with ${code}`,
    [lab, "errors.capacity"],
    async ({ api, lab, chatId }) => {
      await lab.setHours(alwaysOpen);
      await lab.script(chatId, { text: "Form and offer.", collection: aForm(), handoffOffer: true });
      const { reply } = await api.sendMessage(chatId, { text: "Hello" });
      const form = submissionFor(await api.getCollection(chatId));
      await lab.changeLimits(limit);
      for (const response of [
        await api.call("sendMessage", { chatId, json: { text: "One more" } }),
        await api.call("submitCollection", {
          chatId,
          json: { ...form, action: "save", values: rightAnswers },
        }),
        await api.call("handoff", { chatId, json: { confirmationId: reply?.handoffOffer?.confirmationId } }),
      ]) {
        expectError(response, code);
      }
      await lab.changeLimits({ operationsPerChat: null, chatsPerChannel: null });
      await api.sendMessage(chatId, { text: "One more" });
    },
  );
}

test("creates no chat while all turns are taken", [lab, "errors.capacity"], async ({ api, lab }) => {
  await lab.changeLimits({ concurrentTurns: 0 });
  expectError(await api.call("createChat", { json: {} }), "capacity_limited");
});

test(
  "supersedes a reply when a teammate takes the chat over",
  [lab, "errors.outcome", "states.team"],
  async ({ api, lab, chatId }) => {
    await lab.script(chatId, { text: "Too late.", deltas: ["Too ", "late."], holdsAfter: 1 });
    const key = crypto.randomUUID();
    const json = { text: "Hello" };
    const stream = await api.stream(chatId, json, { key });
    await stream.until("start");
    await lab.claim(chatId, "Priya N.");
    await stream.all();
    expect(stream.error.code).toBe("operation_superseded");
    // "Read the chat, then decide."
    expect((await api.getChat(chatId)).mode).toBe("teammate");
    const messages = await api.allMessages(chatId);
    expect(messages.filter(({ role }) => role === "visitor")).toHaveLength(1);
    expect(messages.filter(({ role }) => role === "agent")).toEqual([]);
    // The outcome is stored under the key.
    expectError(await api.call("sendMessage", { chatId, json, key }), "operation_superseded");
  },
);

test(
  "answers 404 after the chat is deleted during a reply",
  [lab, "errors.deleted", "get.chat"],
  async ({ api, lab, chatId }) => {
    await lab.script(chatId, { text: "Gone.", deltas: ["Go", "ne."], holdsAfter: 1 });
    const stream = await api.stream(chatId, { text: "Hello" });
    await stream.until("start");
    await lab.deleteChat(chatId);
    await stream.untilCut();
    expect(stream.events.at(-1)?.name).not.toBe("done");
    for (const operation of ["getChat", "listMessages", "getCollection"] as const) {
      expectError(await api.call(operation, { chatId }), "chat_not_found");
    }
  },
);

test("deletes a chat's files with the chat", [lab, "errors.deleted"], async ({ api, lab, chatId }) => {
  const file = await api.uploadFile(chatId, { bytes: Buffer.from("gone") });
  await lab.deleteChat(chatId);
  expectError(await api.call("downloadFile", { chatId, fileId: file.id }), "chat_not_found");
});

test(
  "answers an internal error and accepts the key afterwards",
  [lab, "errors.repeat"],
  async ({ api, lab, chatId }) => {
    const key = crypto.randomUUID();
    const json = { text: "Hello" };
    await lab.addFault({ operation: "sendMessage", fault: "error", code: "internal_error", times: 1 });
    expectError(await api.call("sendMessage", { chatId, json, key }), "internal_error");
    const again = await api.call("sendMessage", { chatId, json, key });
    expect(itemOf<MessageTurn>(again, again.status).message.text).toBe("Hello");
    expect((await api.allMessages(chatId)).filter(({ role }) => role === "visitor")).toHaveLength(1);
  },
);

test(
  "answers two chats of one channel concurrently",
  [lab, "send.one-turn"],
  async ({ api, lab, freshChat }) => {
    const other = await api.createChat();
    for (const { id } of [freshChat, other]) {
      await lab.script(id, { text: "At once.", deltas: ["At ", "once."], delayMs: 60 });
    }
    const streams = await Promise.all([freshChat, other].map(({ id }) => api.stream(id, { text: "Hello" })));
    await Promise.all(streams.map((stream) => stream.all()));
    for (const stream of streams) expect(stream.text).toBe("At once.");
  },
);

test(
  "returns the roles, times and authors of an imported chat unchanged",
  [lab, "resources.author", "resources.history"],
  async ({ api, lab }) => {
    const { id: chatId } = await lab.importChat({
      userId: "m@7",
      historyComplete: false,
      messages: [
        { role: "visitor", text: "From long ago", createdAt: null },
        { role: "teammate", text: "An answer", createdAt: "2026-01-02T03:04:05.006Z", author: "ليلى" },
        { role: "system", text: "A notice", createdAt: "2026-01-02T03:04:06.000Z" },
      ],
    });
    expect(await api.getChat(chatId)).toMatchObject({ userId: "m@7", historyComplete: false });
    const messages = await api.allMessages(chatId, 2);
    expect(messages.map(({ role, createdAt, author }) => ({ role, createdAt, author }))).toEqual([
      { role: "visitor", createdAt: null, author: null },
      { role: "teammate", createdAt: "2026-01-02T03:04:05.006Z", author: { name: "ليلى" } },
      { role: "system", createdAt: "2026-01-02T03:04:06.000Z", author: null },
    ]);
  },
);
