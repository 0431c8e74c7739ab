import { aMessage, anOrder, aProduct } from "#lib/chat-api/testing/builders.ts";
import { textFile } from "./support/samples.ts";
import { limits } from "./support/specification.ts";
import { choice, expect, expectError, lab, test } from "./support/test.ts";

const emoji = "🚲";

const invalidBodies: [what: string, json: object, at: string][] = [
  ["neither text nor files", {}, "/text"],
  ["an empty text", { text: "" }, "/text"],
  ["text that is null", { text: null }, "/text"],
  ["text that is a number", { text: 7 }, "/text"],
  ["text that is a list", { text: ["a"] }, "/text"],
  ["text that is an object", { text: { a: 1 } }, "/text"],
  ["4,001 letters", { text: "a".repeat(limits.text + 1) }, "/text"],
  ["2,001 emoji, which are 4,002 units", { text: emoji.repeat(limits.text / 2 + 1) }, "/text"],
  ["only spaces", { text: "   " }, "/text"],
  ["only line breaks and tabs", { text: "\n\r\t" }, "/text"],
  ["no file in fileIds", { text: "a", fileIds: [] }, "/fileIds"],
  ["five files", { fileIds: [1, 2, 3, 4, 5].map((n) => `file-number-${n}`) }, "/fileIds"],
  ["a file twice", { fileIds: ["file-number-1", "file-number-1"] }, "/fileIds"],
  ["fileIds that is null", { text: "a", fileIds: null }, "/fileIds"],
  ["fileIds that is a string", { text: "a", fileIds: "file-number-1" }, "/fileIds"],
  ["a file ID of 7 characters", { fileIds: ["file-number-1", "short-1"] }, "/fileIds/1"],
  ["a file ID of 129 characters", { fileIds: ["f".repeat(129)] }, "/fileIds/0"],
  ["a file ID with a dot", { fileIds: ["file.number.1"] }, "/fileIds/0"],
  ["a file ID that is a number", { fileIds: [12345678] }, "/fileIds/0"],
  ["an unknown property", { text: "a", surprise: 1 }, "/surprise"],
  ["a property in another letter case", { text: "a", FileIds: ["file-number-1"] }, "/FileIds"],
  ["a locale, which only the creation takes", { text: "a", locale: "en" }, "/locale"],
  ["a property named constructor", { text: "a", constructor: 1 }, "/constructor"],
];

for (const [what, json, at] of invalidBodies) {
  test(
    `rejects a message with ${what}`,
    ["send.text", "send.files", "send.properties", "errors.field"],
    async ({ api, sharedChatId: chatId }) => {
      const response = await api.call("sendMessage", { chatId, json });
      // Well-formed file IDs among them are unknown.
      const orLive = at.startsWith("/fileIds") ? (["file_not_found"] as const) : [];
      expectError(response, "invalid_request", { api, at, orLive });
    },
  );
}

test("rejects a property named __proto__", ["send.properties"], async ({ api, sharedChatId: chatId }) => {
  const response = await api.call("sendMessage", {
    chatId,
    body: '{"text":"a","__proto__":{"text":"b"}}',
    headers: { "Content-Type": "application/json" },
  });
  expectError(response, "invalid_request", { api, at: "/__proto__" });
});

test(
  "rejects text with NUL or lone surrogates, and text of white space outside ASCII alone",
  [choice, "send.text"],
  async ({ api, sharedChatId: chatId }) => {
    const altered = ["a\u0000b", "a\ud800b", "a\udc00b", "\ud83d"];
    // JSON.stringify writes a lone surrogate as an escape.
    for (const text of [...altered, "\u00a0", "\u3000", "\u2028", "\ufeff"])
      expectError(await api.call("sendMessage", { chatId, json: { text } }), "invalid_request", {
        api,
        at: "/text",
      });
  },
);

test(
  "stores no message of a refused request",
  ["idempotency.once"],
  async ({ api, sharedChatId: chatId }) => {
    const before = await api.listMessages(chatId);
    for (const [, json] of invalidBodies) await api.call("sendMessage", { chatId, json });
    expect(await api.listMessages(chatId)).toEqual(before);
    expect(before.items.filter(({ role }) => role === "visitor")).toEqual([]);
  },
);

test(
  "stores and answers a message and updates the chat",
  ["send.turn", "states.agent"],
  async ({ api, planned }) => {
    const chat = await planned("conversation");
    const before = await api.getChat(chat.id);
    const text = "Hello! Which bicycle lock would you recommend?";
    const turn = await api.sendMessage(chat.id, { text });

    const { message } = turn;
    const { id, createdAt } = message;
    expect(message).toMatchObject(aMessage({ id, chatId: chat.id, text, createdAt }));
    expect(createdAt).not.toBeNull();
    expect(turn.reply).toMatchObject({ chatId: chat.id, role: "agent", author: null });
    expect(turn.reply?.createdAt).not.toBeNull();
    expect(turn.reply?.id).not.toBe(turn.message.id);
    expect(turn.chat).toMatchObject({ id: chat.id, mode: "agent", createdAt: chat.createdAt });
    expect(Date.parse(turn.chat.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(Date.parse((await api.getChat(chat.id)).updatedAt)).toBeGreaterThanOrEqual(
      Date.parse(turn.chat.updatedAt),
    );

    const listed = (await api.allMessages(chat.id)).filter(({ id }) =>
      [turn.message.id, turn.reply?.id].includes(id),
    );
    expect(listed).toEqual([turn.message, turn.reply]);
  },
);

test("stores 4,000 UTF-16 units unchanged, emoji included", ["send.text"], async ({ api, planned }) => {
  const { id: chatId } = await planned("conversation");
  const text = `${emoji.repeat(limits.text / 2 - 1)}ok`;
  expect(text).toHaveLength(limits.text);
  const { message } = await api.sendMessage(chatId, { text });
  expect(message.text).toBe(text);
});

const unusual: [what: string, text: string][] = [
  ["4,000 letters", "a".repeat(limits.text)],
  ["a zero-width space, which is no white space", "\u200b"],
  ["white space around it", "  both ends \n"],
  ["line ends of every kind", "a\r\nb\nc\rd\u2028e\u2029f"],
  ["zalgo", `z${"\u0300\u0316".repeat(1500)}`],
  ["joined emoji", "👩‍🚀".repeat(700)],
  ["a right-to-left override", "\u202egnp.exe \u2066x"],
  ["characters in NFD", "cafe\u0301"],
  ["control characters", "bell\u0007 escape\u001b[2J delete\u007f next\u0085"],
  ["SQL and LIKE", "'; DROP TABLE messages; -- %_\\ $1 :x {{y}}"],
  ["markup", "<script>alert(1)</script> &amp; **bold**"],
  ["JSON", '{"text":"\\u0041"}'],
];

for (const [what, text] of unusual) {
  test(`stores a text with ${what} unchanged`, [lab, "send.text"], async ({ api, lab, freshChat }) => {
    await lab.script(freshChat.id, { text });
    const turn = await api.sendMessage(freshChat.id, { text });
    expect(turn.message.text).toBe(text);
    expect(turn.reply?.text).toBe(text);
    const { items } = await api.listMessages(freshChat.id);
    expect(items.map((item) => item.text)).toEqual([text, text]);
  });
}

test(
  "rejects 2,001 escaped emoji for the text's length, not the body's size",
  ["send.text"],
  async ({ api, sharedChatId: chatId }) => {
    const body = `{"text":"${"\\ud83d\\ude00".repeat(2_001)}"}`;
    expect(body.length).toBeLessThan(limits.jsonBytes);
    const response = await api.call("sendMessage", {
      chatId,
      body,
      headers: { "Content-Type": "application/json" },
    });
    expectError(response, "invalid_request", { api, at: "/text" });
  },
);

test(
  "returns the agent's attachments with the reply",
  [lab, "resources.cards"],
  async ({ api, lab, freshChat }) => {
    const citation = {
      title: "Returns",
      url: "https://shop.example/returns",
      updatedAt: "2026-01-02T03:04:05.006Z",
    };
    const product = aProduct({
      brand: null,
      inStock: null,
      clickAndCollectOnly: true,
      price: { amount: 0.5, currency: "GBP", was: null, from: true },
    });
    const order = anOrder({
      kind: "workshop",
      placedLabel: null,
      servicedItem: "Wheel",
      items: [
        { description: "Spoke", quantity: 2.5, arrived: null },
        { description: "Rim", quantity: 1, arrived: true },
      ],
      store: { name: "Kelderby", phone: null },
    });
    const reply = {
      text: "Here you are.",
      citations: [citation, { title: "Poster", url: null, updatedAt: null }],
      products: [product],
      orders: [order],
      choices: ["Yes", "No"],
    };
    await lab.script(freshChat.id, reply);
    const turn = await api.sendMessage(freshChat.id, { text: "Show me" });
    expect(turn.reply).toMatchObject(reply);
    const { items } = await api.listMessages(freshChat.id);
    expect(items[1]).toEqual(turn.reply);
    // "One is sent as the next message's `text`."
    const next = await api.sendMessage(freshChat.id, { text: "Yes" });
    expect(next.message.text).toBe("Yes");
  },
);

test(
  "caps a reply at 20 citations, 3 products and 10 orders",
  [lab, "resources.cards"],
  async ({ api, lab, freshChat }) => {
    await lab.script(freshChat.id, {
      text: "Many.",
      citations: Array(21).fill({ title: "Returns", url: null, updatedAt: null }),
      products: Array(4).fill(aProduct()),
      orders: Array(11).fill(anOrder()),
    });
    const { reply } = await api.sendMessage(freshChat.id, { text: "All" });
    expect(reply?.citations).toHaveLength(20);
    expect(reply?.products).toHaveLength(3);
    expect(reply?.orders).toHaveLength(10);
  },
);

// Files with a message.

test(
  "removes a file's expiry once a message sends it",
  ["states.file", "send.files"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("files");
    const file = await api.uploadFile(chatId, { ...textFile("The receipt."), filename: "receipt.txt" });
    const turn = await api.sendMessage(chatId, { text: "Please see the receipt.", fileIds: [file.id] });
    expect(turn.message.files).toEqual([{ ...file, expiresAt: null }]);
    const stored = (await api.allMessages(chatId)).find(({ id }) => id === turn.message.id);
    expect(stored).toEqual(turn.message);
    const download = await api.call("downloadFile", { chatId, fileId: file.id });
    expect(download.text).toBe("The receipt.");
  },
);

test("sends four files without text in the caller's order", [lab, "send.files"], async ({ api, chatId }) => {
  const ids: string[] = [];
  for (const name of ["d", "a", "c", "b"]) ids.push((await api.uploadFile(chatId, textFile(name))).id);
  const { message } = await api.sendMessage(chatId, { fileIds: ids });
  expect(message.text).toBe("");
  expect(message.files.map(({ id }) => id)).toEqual(ids);
});

for (const text of ["", "   ", "\u00a0"]) {
  test(
    `accepts the blank text ${JSON.stringify(text)} with files`,
    [lab, "send.properties"],
    async ({ api, freshChat }) => {
      const file = await api.uploadFile(freshChat.id, textFile("x"));
      const { message } = await api.sendMessage(freshChat.id, { text, fileIds: [file.id] });
      expect(message.text).toBe(text);
    },
  );
}

test(
  "answers 404 for an unknown file and for another chat's",
  ["send.files"],
  async ({ api, planned, sharedChatId: chatId }) => {
    const other = await planned("files");
    const file = await api.uploadFile(other.id, textFile("of another chat"));
    const before = await api.listMessages(chatId);
    for (const fileIds of [["unknown-file-id"], [file.id]]) {
      const response = await api.call("sendMessage", { chatId, json: { fileIds } });
      expectError(response, "file_not_found", { api, at: "/fileIds/0" });
    }
    expect(await api.listMessages(chatId)).toEqual(before);
  },
);

test("sends none of the files when one is unknown", [lab, "send.files"], async ({ api, chatId }) => {
  const file = await api.uploadFile(chatId, textFile("kept"));
  const json = { text: "Both", fileIds: [file.id, "unknown-file-id"] };
  expectError(await api.call("sendMessage", { chatId, json }), "file_not_found");
  const { message } = await api.sendMessage(chatId, { fileIds: [file.id] });
  expect(message.files[0]?.id).toBe(file.id);
});
