import { itemOf } from "./support/api.ts";
import { textFile } from "./support/samples.ts";
import type { MessageTurn } from "./support/shapes.ts";
import { expect, expectError, lab, step, test } from "./support/test.ts";

const accept = { Accept: "text/event-stream" };

test(
  "streams start, the deltas of the reply, and done with the turn",
  ["events.sequence", "events.text", "events.repeat"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("streams");
    const key = crypto.randomUUID();
    const json = { text: "Hello! What can you help me with?" };
    const stream = await api.stream(chatId, json, { key });
    expect(stream.head.status).toBe(201);
    expect(stream.head.headers["content-type"]).toMatch(/^text\/event-stream\s*(;|$)/i);
    await stream.all();

    const { start, turn } = stream;
    expect(start.chatId).toBe(chatId);
    expect(start.requestId).toBe(stream.head.headers["x-request-id"]);
    expect(start.messageId).toBe(turn.message.id);
    expect(start.replyId).toBe(turn.reply?.id);
    expect(turn.message.text).toBe(json.text);
    // "The concatenated deltas equal the reply text in `done`", unless the agent ends by asking a question.
    // Only the agent knows whether it asks a question.
    const reply = turn.reply?.text ?? "";
    if (stream.text !== reply) expect(reply).toMatch(/\S/);
    if (api.exact) expect(stream.text).toBe(reply);

    await step("returns the same turn in JSON for the same key", async () => {
      const again = itemOf<MessageTurn>(await api.call("sendMessage", { chatId, json, key }), 200);
      expect(again.message).toEqual(turn.message);
      expect(again.reply).toEqual(turn.reply);
    });

    await step("streams a repetition, too", async () => {
      const again = await api.stream(chatId, json, { key });
      expect(again.head.status).toBe(200);
      await again.all();
      expect(again.start.messageId).toBe(start.messageId);
      expect(again.start.replyId).toBe(start.replyId);
      expect(again.start.requestId).toBe(again.head.headers["x-request-id"]);
      expect(again.start.requestId).not.toBe(start.requestId);
      expect(again.turn.message).toEqual(turn.message);
      expect(again.turn.reply).toEqual(turn.reply);
      // A question replaces the streamed text, which the channel need not store.
      if (stream.text === reply && again.deltas > 0) expect(again.text).toBe(reply);
    });

    const stored = await api.allMessages(chatId);
    expect(stored.filter(({ id }) => id === turn.message.id)).toEqual([turn.message]);
    expect(stored.filter(({ id }) => id === turn.reply?.id)).toEqual([turn.reply]);
  },
);

test(
  "streams the repetition of a message that was sent in JSON",
  [lab, "events.repeat"],
  async ({ api, chatId }) => {
    const key = crypto.randomUUID();
    const turn = await api.sendMessage(chatId, { text: "Hello" }, { key });
    const stream = await api.stream(chatId, { text: "Hello" }, { key });
    expect(stream.head.status).toBe(200);
    await stream.all();
    expect(stream.turn).toEqual(turn);
    expect(stream.text).toBe(turn.reply?.text);
  },
);

test(
  "frames each event as its name, its data and a blank line",
  [lab, "events.frame"],
  async ({ api, lab, freshChat }) => {
    const text = 'Line 1\nLine 2\r\n"quoted" \u2028 🚲 data: x\n\nevent: y';
    await lab.script(freshChat.id, { text });
    const stream = await (await api.stream(freshChat.id, { text: "Hello" })).all();
    expect(stream.text).toBe(text);
    const withoutComments = stream.raw.replaceAll(/^:[^\n]*\n\n?/gm, "");
    expect(withoutComments).toMatch(/^(event: (start|delta|done|error)\ndata: \{[^\n\r]*\}\n\n)+$/);
    expect(stream.head.headers["cache-control"]).toMatch(/no-store|no-cache/);
  },
);

test(
  "sends deltas while the reply is being written",
  [lab, "events.sequence", "send.one-turn"],
  async ({ api, lab, freshChat }) => {
    const deltas = ["Deltas ", "come ", "one ", "by ", "one."];
    await lab.script(freshChat.id, { text: deltas.join(""), deltas, holdsAfter: 1 });
    const key = crypto.randomUUID();
    const stream = await api.stream(freshChat.id, { text: "Slowly, please" }, { key });
    expect(stream.head.headers["cache-control"]).toContain("no-transform");
    await stream.until("delta");
    // During the turn only a request with the same key is accepted.
    const response = await api.call("sendMessage", { chatId: freshChat.id, json: { text: "Me, too" } });
    expectError(response, "turn_in_progress");
    const conflict = await api.call("sendMessage", { chatId: freshChat.id, json: { text: "Me, too" }, key });
    expectError(conflict, "idempotency_conflict");
    await lab.continueReply(freshChat.id);
    await stream.all();
    expect(stream.deltas).toBeGreaterThan(1);
    expect(stream.text).toBe(deltas.join(""));
  },
);

test("sends no delta for an empty reply", [lab, "events.sequence"], async ({ api, lab, freshChat }) => {
  await lab.script(freshChat.id, { text: "", deltas: [] });
  const stream = await (await api.stream(freshChat.id, { text: "Say nothing" })).all();
  expect(stream.deltas).toBe(0);
  expect(stream.turn.reply?.text).toBe("");
});

test(
  "streams the whole running reply to a second reader",
  [lab, "events.repeat"],
  async ({ api, lab, chatId }) => {
    const deltas = Array.from({ length: 8 }, (_, n) => `Part ${n}. `);
    await lab.script(chatId, { text: deltas.join(""), deltas, holdsAfter: 2 });
    const key = crypto.randomUUID();
    const json = { text: "Tell me" };
    const first = await api.stream(chatId, json, { key });
    await first.until("delta");
    const second = await api.stream(chatId, json, { key });
    expect(second.head.status).toBe(200);
    const inJson = api.call("sendMessage", { chatId, json, key });
    await lab.continueReply(chatId);
    await Promise.all([first.all(), second.all()]);
    for (const stream of [first, second]) {
      expect(stream.text).toBe(deltas.join(""));
      expect(stream.turn).toEqual(first.turn);
      expect(stream.start.messageId).toBe(first.start.messageId);
      expect(stream.start.replyId).toBe(first.start.replyId);
    }
    expect(itemOf<MessageTurn>(await inJson, 200)).toEqual(first.turn);
    expect(await api.allMessages(chatId)).toHaveLength(2);
  },
);

test(
  "continues the turn when its reader disconnects",
  [lab, "events.repeat", "idempotency.once"],
  async ({ api, lab, chatId }) => {
    const deltas = ["Still ", "being ", "written."];
    for (const leaveAfter of ["start", "delta"] as const) {
      await lab.script(chatId, { text: deltas.join(""), deltas, holdsAfter: 1 });
      const key = crypto.randomUUID();
      const json = { text: `I leave after ${leaveAfter}` };
      const left = await api.stream(chatId, json, { key });
      await left.until(leaveAfter);
      left.close();
      const again = await api.stream(chatId, json, { key });
      expect(again.head.status).toBe(200);
      await lab.continueReply(chatId);
      await again.all();
      expect(again.text).toBe(deltas.join(""));
      expect(again.start.messageId).toBe(left.start.messageId);
    }
    expect(await api.allMessages(chatId)).toHaveLength(4);
  },
);

test(
  "does not block others when a reader stops reading",
  [lab, "events.repeat"],
  async ({ api, lab, chatId }) => {
    const deltas = Array.from({ length: 15 }, () => "x".repeat(600));
    await lab.script(chatId, { text: deltas.join(""), deltas });
    const key = crypto.randomUUID();
    const stalled = await api.stream(chatId, { text: "Much" }, { key });
    await stalled.until("start");
    const other = await (await api.stream(chatId, { text: "Much" }, { key })).all();
    expect(other.text).toBe(deltas.join(""));
    stalled.close();
  },
);

test(
  "streams replyId and reply as null while the team has the chat",
  [lab, "states.team", "events.sequence"],
  async ({ api, lab, freshChat }) => {
    await lab.claim(freshChat.id, "Priya N.");
    const stream = await (await api.stream(freshChat.id, { text: "Anyone there?" })).all();
    expect(stream.head.status).toBe(201);
    expect(stream.start.replyId).toBeNull();
    expect(stream.deltas).toBe(0);
    expect(stream.turn.reply).toBeNull();
    expect(stream.turn.chat.mode).toBe("teammate");
  },
);

test(
  "answers errors before the reply begins as JSON",
  ["errors.shape"],
  async ({ api, sharedChatId: chatId }) => {
    const refusals = [
      ["invalid_request", { chatId, json: {} }],
      ["chat_not_found", { chatId: "unknown-chat-id", json: { text: "Hello" } }],
      ["file_not_found", { chatId, json: { fileIds: ["unknown-file-id"] } }],
      ["invalid_json", { chatId, body: "[]", headers: { "Content-Type": "application/json" } }],
    ] as const;
    for (const [code, call] of refusals) {
      const headers = { ...("headers" in call ? call.headers : {}), ...accept };
      expectError(await api.call("sendMessage", { ...call, headers }), code);
    }
  },
);

test(
  "ends the stream on an error during a reply and keeps the key usable",
  [lab, "events.sequence", "errors.repeat"],
  async ({ api, lab, chatId }) => {
    const key = crypto.randomUUID();
    const json = { text: "Hello" };
    await lab.script(chatId, { text: "One two three", deltas: ["One ", "two ", "three"] });
    await lab.addFault({
      operation: "sendMessage",
      fault: "error",
      code: "service_unavailable",
      afterDeltas: 1,
      times: 1,
    });
    const broken = await (await api.stream(chatId, json, { key })).all();
    expect(broken.error.code).toBe("service_unavailable");
    expect(broken.error.requestId).toBe(broken.head.headers["x-request-id"]);
    // "Wait `Retry-After` seconds, then send the same request again."
    const again = await (await api.stream(chatId, json, { key })).all();
    expect(again.head.status).toBe(200);
    expect(again.text).toBe(again.turn.reply?.text);
    expect(again.start.messageId).toBe(broken.start.messageId);
    expect(await api.allMessages(chatId)).toHaveLength(2);
  },
);

test(
  "returns the outcome for the same key after a dropped stream",
  [lab, "events.repeat"],
  async ({ api, lab, chatId }) => {
    for (const afterDeltas of [0, 2]) {
      const key = crypto.randomUUID();
      const json = { text: `Cut after ${afterDeltas}` };
      await lab.script(chatId, { text: "One two three", deltas: ["One ", "two ", "three"] });
      await lab.addFault({ operation: "sendMessage", fault: "drop", afterDeltas, times: 1 });
      const cut = await api.stream(chatId, json, { key });
      await cut.untilCut();
      expect(cut.events.at(-1)?.name).not.toBe("done");
      const again = await (await api.stream(chatId, json, { key })).all();
      expect(again.turn.message.text).toBe(json.text);
      expect(again.text).toBe("One two three");
    }
    expect(await api.allMessages(chatId)).toHaveLength(4);
  },
);

test(
  "includes files in a streamed turn",
  [lab, "send.files", "events.sequence"],
  async ({ api, freshChat }) => {
    const file = await api.uploadFile(freshChat.id, textFile("a"));
    const stream = await (await api.stream(freshChat.id, { fileIds: [file.id] })).all();
    expect(stream.turn.message.files).toEqual([{ ...file, expiresAt: null }]);
  },
);

test(
  "sends a comment on a stream that is silent for an interval",
  [lab, "events.keep-alive"],
  async ({ api, lab, freshChat }) => {
    await lab.changeLimits({ keepAliveInterval: 1_000 });
    await lab.script(freshChat.id, { text: "At last.", deltas: ["At last."], delayMs: 1_500 });
    const stream = await (await api.stream(freshChat.id, { text: "Think for a minute" })).all();
    expect(stream.comments.length).toBeGreaterThanOrEqual(1);
    expect(stream.text).toBe("At last.");
  },
);

test("does not compress a stream", [lab, "events.frame"], async ({ api, freshChat }) => {
  const headers = { "Accept-Encoding": "gzip, br" };
  const stream = await (await api.stream(freshChat.id, { text: "Hello" }, { headers })).all();
  expect(stream.head.headers["content-encoding"]).toBeUndefined();
  expect(stream.text).toBe(stream.turn.reply?.text);
});
