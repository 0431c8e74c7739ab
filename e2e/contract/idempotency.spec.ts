import { itemOf } from "./support/api.ts";
import { creationKey } from "./support/chats.ts";
import { runningTurn } from "./support/lab.ts";
import { wellFormed } from "./support/requests.ts";
import { textFile } from "./support/samples.ts";
import type { Chat, File, MessageTurn } from "./support/shapes.ts";
import { type Code, limits, type OperationName, writes } from "./support/specification.ts";
import { choice, expect, expectError, lab, step, test } from "./support/test.ts";

const refusedKeys: [what: string, key: string | null][] = [
  ["none", null],
  ["an empty one", ""],
  ["7 characters", "a".repeat(7)],
  ["129 characters", "a".repeat(129)],
  ["a space", "abcd efgh"],
  ["a slash", "abcd/efgh"],
  ["an @", "abcd@efgh"],
  ["a comma", "abcdefgh, ijklmnop"],
  ["a quoted string", '"abcdefgh"'],
];

/** The code that refuses the content of these well-formed requests in a chat without a form or an offer. */
const refusedContent: Partial<Record<OperationName, readonly Code[]>> = {
  submitCollection: ["version_conflict", "invalid_submission"],
  handoff: ["confirmation_required"],
};

for (const operation of writes) {
  test(
    `${operation} requires a well-formed Idempotency-Key`,
    ["idempotency.required", "idempotency.format"],
    async ({ api, sharedChatId: chatId }) => {
      for (const [what, key] of refusedKeys) {
        await step(what, async () => {
          const response = await api.call(operation, { ...wellFormed(operation), chatId, key });
          expectError(response, "invalid_request", {
            api,
            at: "/Idempotency-Key",
            orLive: refusedContent[operation] ?? [],
          });
        });
      }
    },
  );

  test(
    `${operation} rejects a non-ASCII key and duplicate keys`,
    [choice, "idempotency.format"],
    async ({ api, sharedChatId: chatId }) => {
      const request = wellFormed(operation);
      for (const value of ["abcdefgé", ["key-number-one", "key-number-two"]]) {
        const response = await api.call(operation, {
          ...request,
          chatId,
          key: null,
          headers: { ...request.headers, "Idempotency-Key": value },
        });
        expectError(response, "invalid_request");
      }
    },
  );
}

test(
  "accepts keys of 8 and 128 characters, every allowed character included",
  [lab, "idempotency.format"],
  async ({ api, freshChat }) => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-";
    const unique = crypto.randomUUID();
    for (const key of [unique.slice(0, 8), `${alphabet}${unique}`.padEnd(128, ".")]) {
      await api.sendMessage(freshChat.id, { text: "Hello" }, { key });
    }
  },
);

test(
  "creates one chat for repeated requests, concurrent or later",
  ["idempotency.replay", "idempotency.once"],
  async ({ api }) => {
    const key = creationKey("crowd");
    const create = () => api.call("createChat", { json: { locale: "en" }, key });
    const responses = await Promise.all(Array.from({ length: api.exact ? 50 : 5 }, create));
    const chats = responses.map((response) => itemOf<Chat>(response, response.status));
    expect(new Set(chats.map(({ id }) => id)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(responses.length - 1);
    expect(itemOf<Chat>(await create(), 200).id).toBe(chats[0]?.id);
  },
);

test("returns the current chat for a repeated creation", [lab, "create.replay"], async ({ api }) => {
  const key = crypto.randomUUID();
  const created = await api.createChat({}, { key });
  const { chat } = await api.sendMessage(created.id, { text: "Hello" });
  const again = itemOf<Chat>(await api.call("createChat", { json: {}, key }), 200);
  expect(again).toEqual(await api.getChat(created.id));
  expect(Date.parse(again.updatedAt)).toBeGreaterThanOrEqual(Date.parse(chat.updatedAt));
});

test(
  "rejects another creation under the same key without a change",
  ["idempotency.conflict"],
  async ({ api }) => {
    const key = creationKey("disputed");
    const chat = itemOf<Chat>(await api.call("createChat", { json: {}, key }), 201);
    for (const json of [{ locale: "de" }, { userId: "somebody-else" }]) {
      expectError(await api.call("createChat", { json, key }), "idempotency_conflict");
    }
    const again = await api.call("createChat", { json: {}, key });
    expect(itemOf<Chat>(again, 200).id).toBe(chat.id);
  },
);

test(
  "stores and answers a repeated message once",
  ["idempotency.replay", "idempotency.once"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("conversation");
    const key = crypto.randomUUID();
    const json = { text: `Only once, please (${key}).` };
    const first = await api.sendMessage(chatId, json, { key });
    const again = itemOf<MessageTurn>(await api.call("sendMessage", { chatId, json, key }), 200);
    expect(again.message).toEqual(first.message);
    expect(again.reply).toEqual(first.reply);
    if (api.exact) expect(again).toEqual(first);

    const stored = await api.allMessages(chatId);
    expect(stored.filter(({ text }) => text === json.text)).toHaveLength(1);
    expect(stored.filter(({ id }) => id === first.reply?.id)).toHaveLength(1);
    // On a live channel, a notice may lie between the two messages, and the pages may run in either order.
    const position = stored.findIndex(({ id }) => id === first.message.id);
    if (api.exact) expect(stored[position + 1]?.id).toBe(first.reply?.id);
  },
);

test(
  "answers 50 identical concurrent messages with one reply",
  [lab, "idempotency.once"],
  async ({ api, lab, chatId }) => {
    await lab.script(chatId, { text: "One answer.", deltas: ["One ", "answer."], delayMs: 20 });
    const key = crypto.randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => api.call("sendMessage", { chatId, json: { text: "Hello" }, key })),
    );
    const turns = responses.map((response) => itemOf<MessageTurn>(response, response.status));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(49);
    for (const turn of turns) expect(turn).toEqual(turns[0]);
    expect((await api.allMessages(chatId)).map(({ text }) => text)).toEqual(["Hello", "One answer."]);
  },
);

test(
  "runs one turn at a time for 20 concurrent messages",
  [lab, "send.one-turn"],
  async ({ api, lab, chatId }) => {
    await lab.script(chatId, { text: "Slow.", deltas: ["Sl", "ow."], delayMs: 100 });
    const texts = Array.from({ length: 20 }, (_, n) => `Question ${n}`);
    const waiting = new Map(texts.map((text) => [text, crypto.randomUUID()]));
    while (waiting.size > 0) {
      const responses = await Promise.all(
        [...waiting].map(async ([text, key]) => ({
          text,
          answer: await api.call("sendMessage", { chatId, json: { text }, key }),
        })),
      );
      const stored = responses.filter(({ answer }) => answer.status === 201);
      expect(stored.length).toBeGreaterThanOrEqual(1);
      for (const { text, answer } of responses) {
        if (answer.status === 201) waiting.delete(text);
        else expectError(answer, "turn_in_progress");
      }
    }
    const messages = await api.allMessages(chatId);
    const asked = messages.filter(({ role }) => role === "visitor").map(({ text }) => text);
    expect(asked.toSorted()).toEqual(texts.toSorted());
    // Each reply directly follows its question.
    expect(messages.map(({ role }) => role)).toEqual(texts.flatMap(() => ["visitor", "agent"]));
  },
);

test(
  "rejects another text under the same key and does not store it",
  ["idempotency.conflict"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("conversation");
    const key = crypto.randomUUID();
    const first = await api.sendMessage(chatId, { text: `First (${key})` }, { key });
    const other = `Second (${key})`;
    const response = await api.call("sendMessage", { chatId, json: { text: other }, key });
    expectError(response, "idempotency_conflict");
    const texts = (await api.allMessages(chatId)).map(({ text }) => text);
    expect(texts).not.toContain(other);
    const again = await api.call("sendMessage", { chatId, json: { text: first.message.text }, key });
    expect(itemOf<MessageTurn>(again, 200).message).toEqual(first.message);
  },
);

test(
  "treats equivalent JSON as the same request",
  [choice, "idempotency.replay"],
  async ({ api, planned }) => {
    const headers = { "Content-Type": "application/json" };
    const key = crypto.randomUUID();
    const userId = `customer-${key}`;
    const chat = await api.createChat({ userId }, { key });
    for (const body of [
      ` {"userId" : "${userId}"}\n`,
      `{"locale":"en","userId":"${userId}"}`,
      `{"userId":"${userId}","locale":"en"}`,
      `{"userId":"${userId.replace("c", "\\u0063")}"}`,
    ]) {
      const again = await api.call("createChat", { body, headers, key });
      expect(itemOf<Chat>(again, 200).id).toBe(chat.id);
    }
    const { id: chatId } = await planned("conversation");
    const file = await api.uploadFile(chatId, textFile("a"));
    const messageKey = crypto.randomUUID();
    await api.sendMessage(chatId, { text: "é", fileIds: [file.id] }, { key: messageKey });
    const body = `{"fileIds":["${file.id}"], "text":"\\u00e9"}`;
    const again = await api.call("sendMessage", { chatId, body, headers, key: messageKey });
    expect(again.status).toBe(200);
  },
);

test(
  "treats Unicode normalisation forms as different texts",
  [choice, "idempotency.conflict"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("conversation");
    const key = crypto.randomUUID();
    await api.sendMessage(chatId, { text: "é" }, { key });
    const response = await api.call("sendMessage", { chatId, json: { text: "e\u0301" }, key });
    expectError(response, "idempotency_conflict");
  },
);

test(
  "rejects a key that another operation or chat has used",
  [choice, "idempotency.conflict"],
  async ({ api }) => {
    const key = crypto.randomUUID();
    const one = await api.createChat({}, { key });
    const other = await api.createChat();
    const text = { text: "Hello" };
    expectError(await api.call("sendMessage", { chatId: one.id, json: text, key }), "idempotency_conflict");
    const messageKey = crypto.randomUUID();
    await api.sendMessage(one.id, text, { key: messageKey });
    for (const response of [
      await api.call("sendMessage", { chatId: other.id, json: text, key: messageKey }),
      await api.upload(one.id, textFile("a"), { key: messageKey }),
      await api.call("createChat", { json: {}, key: messageKey }),
      await api.call("handoff", { chatId: one.id, json: { confirmationId: "x" }, key: messageKey }),
    ]) {
      expectError(response, "idempotency_conflict");
    }
  },
);

test(
  "keeps a key usable after a refusal without effect",
  [lab, "idempotency.replay"],
  async ({ api, chatId }) => {
    const key = crypto.randomUUID();
    expectError(await api.call("sendMessage", { chatId, json: { text: " " }, key }), "invalid_request");
    expectError(
      await api.call("sendMessage", { chatId, json: { fileIds: ["unknown-file-id"] }, key }),
      "file_not_found",
    );
    await api.sendMessage(chatId, { text: "Now it is right" }, { key });
  },
);

test(
  "gives a repeated refusal a new request ID",
  ["general.request-id"],
  async ({ api, sharedChatId: chatId }) => {
    const key = crypto.randomUUID();
    const refuse = () => api.call("sendMessage", { chatId, json: {}, key });
    const ids = [await refuse(), await refuse()].map(({ headers }) => headers["x-request-id"]);
    expect(new Set(ids).size).toBe(2);
  },
);

test(
  "keeps a creation's key for 30 days and then rejects it",
  [lab, "idempotency.retention"],
  async ({ api, lab }) => {
    const key = crypto.randomUUID();
    const create = (json: object = {}) => api.call("createChat", { json, key });
    const chat = itemOf<Chat>(await create(), 201);
    await lab.advance(29 * limits.daySeconds);
    expect(itemOf<Chat>(await create(), 200).id).toBe(chat.id);
    await lab.advance(2 * limits.daySeconds);
    expectError(await create(), "idempotency_key_expired");
    // The chat itself still exists.
    expect((await api.getChat(chat.id)).id).toBe(chat.id);
  },
);

test(
  "keeps a message's key for more than a year, its text for one",
  [lab, "idempotency.retention", "resources.history"],
  async ({ api, lab, chatId }) => {
    const key = crypto.randomUUID();
    const turn = await api.sendMessage(chatId, { text: "Hello" }, { key });
    await lab.advance(400 * limits.daySeconds);
    const again = await api.call("sendMessage", { chatId, json: { text: "Hello" }, key });
    expect(itemOf<MessageTurn>(again, 200).message).toEqual({ ...turn.message, text: "" });
    expectError(
      await api.call("sendMessage", { chatId, json: { text: "Other" }, key }),
      "idempotency_conflict",
    );
  },
);

test(
  "answers 410 when the chat of a repeated creation was deleted",
  [lab, "errors.deleted"],
  async ({ api, lab }) => {
    const key = crypto.randomUUID();
    const chat = await api.createChat({}, { key });
    await lab.deleteChat(chat.id);
    expectError(await api.call("createChat", { json: {}, key }), "idempotency_resource_gone");
    expectError(await api.call("getChat", { chatId: chat.id }), "chat_not_found");
  },
);

test(
  "replays the response of a chat that is now closed, full or busy",
  [lab, "idempotency.replay"],
  async ({ api, lab, chatId }) => {
    const message = { key: crypto.randomUUID(), json: { text: "First" } };
    const upload = { key: crypto.randomUUID() };
    const turn = await api.sendMessage(chatId, message.json, message);
    const file = await api.uploadFile(chatId, textFile("a"), upload);
    const expectReplays = async () => {
      const again = await api.call("sendMessage", { chatId, ...message });
      expect(itemOf<MessageTurn>(again, 200)).toEqual(turn);
      expect(itemOf<File>(await api.upload(chatId, textFile("a"), upload), 200).id).toBe(file.id);
    };

    const running = await runningTurn(api, lab, chatId);
    await expectReplays();
    await running.end();

    await lab.changeLimits({ operationsPerChat: 1 });
    expectError(
      await api.call("sendMessage", { chatId, json: { text: "Too many" } }),
      "operation_capacity_reached",
    );
    await expectReplays();
    await lab.changeLimits({ operationsPerChat: null });

    await lab.resolve(chatId);
    expectError(await api.call("sendMessage", { chatId, json: { text: "Too late" } }), "chat_closed");
    await expectReplays();
  },
);

test("counts a repetition towards the rate limit", [lab, "errors.repeat"], async ({ api, lab, chatId }) => {
  const key = crypto.randomUUID();
  const again = () => api.call("sendMessage", { chatId, json: { text: "Hello" }, key });
  const turn = itemOf<MessageTurn>(await again(), 201);
  await lab.changeLimits({ requestsPerMinute: 1 });
  const responses = [await again(), await again(), await again()];
  const limited = responses.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThanOrEqual(1);
  for (const response of limited) expectError(response, "rate_limited");
  await lab.reset();
  expect(itemOf<MessageTurn>(await again(), 200)).toEqual(turn);
});

test(
  "stores each message once, however often and in whatever form it is sent",
  ["idempotency.once", "events.repeat", "list.pages"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("history");
    // Each of a live agent's replies may take a minute.
    for (let n = 1; n <= (api.exact ? 8 : 4); n += 1) {
      const message = { json: { text: `Message ${n} of the history` }, key: crypto.randomUUID() };
      const cut = await api.stream(chatId, message.json, message);
      await cut.until("start");
      cut.close();
      const send = () => api.call("sendMessage", { chatId, ...message });
      const [one, other] = (await Promise.all([send(), send()])).map((sent) =>
        itemOf<MessageTurn>(sent, 200),
      );
      expect(one?.message.id).toBe(cut.start.messageId);
      expect(other?.message.id).toBe(cut.start.messageId);
    }
  },
);
