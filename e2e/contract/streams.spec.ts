import { itemOf } from "./support/api.ts";
import { textFile } from "./support/samples.ts";
import type { MessageTurn } from "./support/shapes.ts";
import { agent, expect, expectError, lab, test } from "./support/test.ts";

const accept = { Accept: "text/event-stream" };

test("a streamed reply: start, deltas that make up the reply, done with the turn", async ({
  api,
  planned,
}) => {
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
  // Whether a text is a question in the agent's eyes, only the agent knows.
  const reply = turn.reply?.text ?? "";
  if (stream.text !== reply) expect(reply).toMatch(/\S/);
  if (api.exact) expect(stream.text).toBe(reply);

  await test.step("#176 the same key in JSON gives the same turn", async () => {
    const again = itemOf<MessageTurn>(await api.call("sendMessage", { chatId, json, key }), 200);
    expect(again.message).toEqual(turn.message);
    expect(again.reply).toEqual(turn.reply);
  });

  await test.step("#108 a repetition is streamed, too", async () => {
    const again = await api.stream(chatId, json, { key });
    expect(again.head.status).toBe(200);
    await again.all();
    expect(again.start.messageId).toBe(start.messageId);
    expect(again.start.replyId).toBe(start.replyId);
    expect(again.start.requestId).toBe(again.head.headers["x-request-id"]);
    expect(again.start.requestId).not.toBe(start.requestId);
    expect(again.turn.message).toEqual(turn.message);
    expect(again.turn.reply).toEqual(turn.reply);
    // A reply that ended in a question was streamed as something else, which need not be kept.
    if (stream.text === reply && again.deltas > 0) expect(again.text).toBe(reply);
  });

  const stored = await api.allMessages(chatId);
  expect(stored.filter(({ id }) => id === turn.message.id)).toEqual([turn.message]);
  expect(stored.filter(({ id }) => id === turn.reply?.id)).toEqual([turn.reply]);
});

test("#176 a message that was sent in JSON is streamed when repeated so", lab, async ({ api, freshChat }) => {
  const chatId = freshChat.id;
  const key = crypto.randomUUID();
  const turn = await api.sendMessage(chatId, { text: "Hello" }, { key });
  const stream = await api.stream(chatId, { text: "Hello" }, { key });
  expect(stream.head.status).toBe(200);
  await stream.all();
  expect(stream.turn).toEqual(turn);
  expect(stream.text).toBe(turn.reply?.text);
});

test(
  "#100 the bytes of a stream: each event is its name, its data, a blank line",
  lab,
  async ({ api, lab, freshChat }) => {
    const text = 'Line 1\nLine 2\r\n"quoted" \u2028 🚲 data: x\n\nevent: y';
    await lab.reply(freshChat.id, { text });
    const stream = await (await api.stream(freshChat.id, { text: "Hello" })).all();
    expect(stream.text).toBe(text);
    const withoutComments = stream.raw.replaceAll(/^:[^\n]*\n\n?/gm, "");
    expect(withoutComments).toMatch(/^(event: (start|delta|done|error)\ndata: \{[^\n\r]*\}\n\n)+$/);
    expect(stream.head.headers["cache-control"]).toMatch(/no-store|no-cache/);
  },
);

test("deltas come while the reply is being written", lab, async ({ api, lab, freshChat }) => {
  const deltas = ["Deltas ", "come ", "one ", "by ", "one."];
  await lab.reply(freshChat.id, { text: deltas.join(""), deltas, holdsAfter: 1 });
  const stream = await api.stream(freshChat.id, { text: "Slowly, please" });
  await stream.until("delta");
  // The turn is still running: nothing but the same key may send now.
  const answer = await api.call("sendMessage", { chatId: freshChat.id, json: { text: "Me, too" } });
  expectError(answer, "turn_in_progress");
  await lab.goOn(freshChat.id);
  await stream.all();
  expect(stream.deltas).toBeGreaterThan(1);
  expect(stream.text).toBe(deltas.join(""));
});

test("a reply without a word has no delta", lab, async ({ api, lab, freshChat }) => {
  await lab.reply(freshChat.id, { text: "", deltas: [] });
  const stream = await (await api.stream(freshChat.id, { text: "Say nothing" })).all();
  expect(stream.deltas).toBe(0);
  expect(stream.turn.reply?.text).toBe("");
});

test(
  "when our agent ends in a question, done carries it in place of what was streamed",
  agent,
  async ({ api, planned }) => {
    const { id: chatId } = await planned("streams");
    const stream = await (await api.stream(chatId, { text: "ask me" })).all();
    expect(stream.turn.reply?.text).toContain("?");
    expect(stream.text).not.toBe(stream.turn.reply?.text);
    const { items } = await api.listMessages(chatId, "?limit=50");
    expect(items.find(({ id }) => id === stream.turn.reply?.id)?.text).toBe(stream.turn.reply?.text);
  },
);

test("#109 a second reader of a running reply sees all of it", lab, async ({ api, lab, freshChat }) => {
  const chatId = freshChat.id;
  const deltas = Array.from({ length: 8 }, (_, n) => `Part ${n}. `);
  await lab.reply(chatId, { text: deltas.join(""), deltas, holdsAfter: 2 });
  const key = crypto.randomUUID();
  const json = { text: "Tell me" };
  const first = await api.stream(chatId, json, { key });
  await first.until("delta");
  const second = await api.stream(chatId, json, { key });
  expect(second.head.status).toBe(200);
  const inJson = api.call("sendMessage", { chatId, json, key });
  await lab.goOn(chatId);
  await Promise.all([first.all(), second.all()]);
  for (const stream of [first, second]) {
    expect(stream.text).toBe(deltas.join(""));
    expect(stream.turn).toEqual(first.turn);
    expect(stream.start.messageId).toBe(first.start.messageId);
    expect(stream.start.replyId).toBe(first.start.replyId);
  }
  expect(itemOf<MessageTurn>(await inJson, 200)).toEqual(first.turn);
  expect(await api.allMessages(chatId)).toHaveLength(2);
});

test("#104 a reader that leaves does not end the turn", lab, async ({ api, lab, freshChat }) => {
  const chatId = freshChat.id;
  const deltas = ["Still ", "being ", "written."];
  for (const leaveAfter of ["start", "delta"] as const) {
    await lab.reply(chatId, { text: deltas.join(""), deltas, holdsAfter: 1 });
    const key = crypto.randomUUID();
    const json = { text: `I leave after ${leaveAfter}` };
    const left = await api.stream(chatId, json, { key });
    await left.until(leaveAfter);
    left.close();
    const again = await api.stream(chatId, json, { key });
    expect(again.head.status).toBe(200);
    await lab.goOn(chatId);
    await again.all();
    expect(again.text).toBe(deltas.join(""));
    expect(again.start.messageId).toBe(left.start.messageId);
  }
  expect(await api.allMessages(chatId)).toHaveLength(4);
});

test("#112 a reader that stops reading holds nobody up", lab, async ({ api, lab, freshChat }) => {
  const chatId = freshChat.id;
  const deltas = Array.from({ length: 15 }, () => "x".repeat(600));
  await lab.reply(chatId, { text: deltas.join(""), deltas });
  const key = crypto.randomUUID();
  const stalled = await api.stream(chatId, { text: "Much" }, { key });
  await stalled.until("start");
  const other = await (await api.stream(chatId, { text: "Much" }, { key })).all();
  expect(other.text).toBe(deltas.join(""));
  stalled.close();
});

test(
  "while the chat is with the team a stream has no reply: replyId and reply are null",
  lab,
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

test("what is refused before the reply begins is a plain error", async ({ api, planned }) => {
  const { id: chatId } = await planned("reading");
  const refused = [
    ["invalid_request", { chatId, json: {} }],
    ["chat_not_found", { chatId: "unknown-chat-id", json: { text: "Hello" } }],
    ["file_not_found", { chatId, json: { fileIds: ["unknown-file-id"] } }],
    ["invalid_json", { chatId, body: "[]", headers: { "Content-Type": "application/json" } }],
  ] as const;
  for (const [code, call] of refused) {
    const headers = { ...("headers" in call ? call.headers : {}), ...accept };
    expectError(await api.call("sendMessage", { ...call, headers }), code);
  }
});

test(
  "#107 an error in the middle of a reply ends the stream, and the key still works",
  lab,
  async ({ api, lab, freshChat }) => {
    const chatId = freshChat.id;
    const key = crypto.randomUUID();
    const json = { text: "Hello" };
    await lab.reply(chatId, { text: "One two three", deltas: ["One ", "two ", "three"] });
    await lab.fault({
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
  "#105 a stream that is cut says nothing of the outcome: the same key does",
  lab,
  async ({ api, lab, freshChat }) => {
    const chatId = freshChat.id;
    for (const afterDeltas of [0, 2]) {
      const key = crypto.randomUUID();
      const json = { text: `Cut after ${afterDeltas}` };
      await lab.reply(chatId, { text: "One two three", deltas: ["One ", "two ", "three"] });
      await lab.fault({ operation: "sendMessage", fault: "drop", afterDeltas, times: 1 });
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

test("files are part of a streamed turn", lab, async ({ api, freshChat }) => {
  const file = await api.uploadFile(freshChat.id, textFile("a"));
  const stream = await (await api.stream(freshChat.id, { fileIds: [file.id] })).all();
  expect(stream.turn.message.files).toEqual([{ ...file, expiresAt: null }]);
});

test("#106 a comment keeps a silent stream open, 15 seconds apart", lab, async ({ api, lab, freshChat }) => {
  await lab.reply(freshChat.id, { text: "At last.", deltas: ["At last."], delayMs: 16_500 });
  const begun = Date.now();
  const stream = await (await api.stream(freshChat.id, { text: "Think for a minute" })).all();
  expect(Date.now() - begun).toBeGreaterThan(15_000);
  expect(stream.comments.length).toBeGreaterThanOrEqual(1);
  expect(stream.text).toBe("At last.");
});

test(
  "#114 a stream is not compressed: its parts must not wait for each other",
  lab,
  async ({ api, freshChat }) => {
    const headers = { "Accept-Encoding": "gzip, br" };
    const stream = await (await api.stream(freshChat.id, { text: "Hello" }, { headers })).all();
    expect(stream.head.headers["content-encoding"]).toBeUndefined();
    expect(stream.text).toBe(stream.turn.reply?.text);
  },
);
