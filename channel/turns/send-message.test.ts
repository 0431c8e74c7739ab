/** Sending messages: validation, negotiation and order of checks (docs/chat-api.md, "Operations"). */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Message, MessageTurn } from "#lib/chat-api/message.ts";
import type { TestChannel } from "../testing/test-channel.ts";
import { testChannel } from "../testing/test-channel.ts";

async function refusal(channel: TestChannel, chatId: string, body: unknown, call = {}) {
  const answer = await channel.call<{ error: { code: string; field?: string } }>(
    `/chats/${chatId}/messages`,
    {
      body,
      ...call,
    },
  );
  const { code, field } = answer.body.error;
  return [answer.status, code, ...(field === undefined ? [] : [field])].join(" ");
}

test("a message is stored and answered", async () => {
  const { send, createChat, getChat } = await testChannel();
  const chatId = await createChat();
  const before = await getChat(chatId);
  const { status, body } = await send(chatId, { text: "Hello" });
  expect(status).toBe(201);
  expect(body.item.message).toEqual({
    id: expect.stringMatching(/^msg_/),
    chatId,
    role: "visitor",
    text: "Hello",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    author: null,
    files: [],
    citations: [],
    products: [],
    orders: [],
    choices: [],
    collection: null,
    handoffOffer: null,
  });
  expect(body.item.reply).toMatchObject({ chatId, role: "agent", text: "Echo: Hello", author: null });
  expect(body.item.chat).toEqual(await getChat(chatId));
  expect(body.item.chat.updatedAt > before.updatedAt).toBe(true);
  expect(Object.keys(body.item).toSorted()).toEqual(["chat", "message", "reply"]);
  expect(Object.keys(body.item.reply ?? {}).toSorted()).toEqual(Object.keys(Message.shape).toSorted());
  expect(MessageTurn.parse(body.item)).toEqual(body.item);
});

test("the reply carries the agent's attachments, up to the limits", async () => {
  const { send, createChat, agent } = await testChannel();
  const citation = { title: "Delivery", url: null, updatedAt: null };
  const product = {
    id: "p1",
    title: "Helmet",
    brand: null,
    imageUrl: null,
    productUrl: null,
    inStock: null,
    clickAndCollectOnly: false,
    price: { amount: 59.5, currency: "GBP", was: 70, from: true },
  };
  const order = {
    reference: "TT-1",
    kind: "online" as const,
    status: "On its way",
    complete: false,
    placedLabel: null,
    dueLabel: null,
    servicedItem: null,
    items: [{ description: "Tube", quantity: 2, arrived: null }],
    store: { name: "Leeds", phone: null },
  };
  agent.answer(() => [
    { type: "text", text: "Here." },
    { type: "citations", citations: Array.from({ length: 21 }, () => citation) },
    { type: "products", products: Array.from({ length: 4 }, () => product) },
    { type: "orders", orders: Array.from({ length: 11 }, () => order) },
    { type: "choices", choices: ["Yes", "", " ", "No", "a".repeat(4_001)] },
  ]);
  const chatId = await createChat();
  const { reply } = (await send(chatId, { text: "Hello" })).body.item;
  expect(reply?.citations).toEqual(Array.from({ length: 20 }, () => citation));
  expect(reply?.products).toEqual([product, product, product]);
  expect(reply?.orders).toEqual(Array.from({ length: 10 }, () => order));
  expect(reply?.choices).toEqual(["Yes", "No"]);
});

test("the agent receives history, locale and user ID", async () => {
  const { send, createChat, agent } = await testChannel();
  const chatId = await createChat({ userId: "cust.ana-brandt", locale: "de-AT" });
  await send(chatId, { text: "One" });
  await send(chatId, { text: "Two" });
  const [first, second] = agent.turns;
  expect(first).toMatchObject({ chatId, userId: "cust.ana-brandt", locale: "de-AT", history: [] });
  expect(second?.history.map((message) => message.text)).toEqual(["One", "Echo: One"]);
  expect(second?.trigger).toMatchObject({ type: "message", message: { text: "Two" } });
});

test("a body that is not a JSON object is invalid_json", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const bodies = [
    "[]",
    '"x"',
    "null",
    "1",
    "true",
    "{",
    "",
    " ",
    "{}{}",
    '{"text":"a",}',
    "\ufeff{}",
    "{'text':1}",
  ];
  for (const body of bodies) expect(await refusal(channel, chatId, body), body).toBe("400 invalid_json");
});

test("a body that is not UTF-8 is invalid_json", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const body = new Uint8Array([...new TextEncoder().encode('{"text":"'), 0xff, 0xfe, 0x22, 0x7d]);
  expect(await refusal(channel, chatId, body)).toBe("400 invalid_json");
});

test("refuses a body that is not declared as JSON", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const body = { text: "Hello" };
  const refused = [
    "text/plain",
    "application/json-patch+json",
    "application/jsonx",
    "application/json;charset=utf-16",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "*/*",
    "",
  ];
  for (const type of refused) {
    const headers = { "content-type": type };
    expect(await refusal(channel, chatId, body, { headers }), type).toBe("415 unsupported_media_type");
  }
  for (const type of [
    "APPLICATION/JSON",
    "application/json; charset=UTF-8",
    'application/json;charset="utf-8"',
  ]) {
    const answer = await channel.send(chatId, body, { headers: { "content-type": type } });
    expect(answer.status, type).toBe(201);
  }
});

test("refuses a compressed body without decompressing it", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const encoding of ["gzip", "br", "gzip, gzip", "GZIP"]) {
    const headers = { "content-encoding": encoding };
    expect(await refusal(channel, chatId, { text: "x" }, { headers })).toBe("415 unsupported_media_type");
  }
});

test("accepts a body of 32 KiB and refuses one byte more", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const sized = (length: number) => `{"text":"Hello"}${" ".repeat(length - '{"text":"Hello"}'.length)}`;
  expect((await channel.call(`/chats/${chatId}/messages`, { body: sized(32_768) })).status).toBe(201);
  expect(await refusal(channel, chatId, sized(32_769))).toBe("413 payload_too_large");
  expect(await refusal(channel, chatId, sized(3_000_000))).toBe("413 payload_too_large");
});

test("refuses unknown properties", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const name of ["x", "locale", "role", "constructor", "toString"])
    expect(await refusal(channel, chatId, { text: "Hello", [name]: 1 })).toBe(`400 invalid_request /${name}`);
  expect(await refusal(channel, chatId, '{"text":"Hello","__proto__":1}')).toBe(
    "400 invalid_request /__proto__",
  );
});

test("text is counted in UTF-16 code units", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const text of ["a".repeat(4_000), "😀".repeat(2_000), "é".repeat(4_000), "\u2028".repeat(3_999)]) {
    const answer = await channel.send(chatId, { text: `${text}`.replace(/^\u2028/, "x") });
    expect(answer.status).toBe(201);
  }
  expect(await refusal(channel, chatId, { text: "a".repeat(4_001) })).toBe("400 invalid_request /text");
  expect(await refusal(channel, chatId, { text: "😀".repeat(2_001) })).toBe("400 invalid_request /text");
});

test("a text without visible characters needs a file", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const text of ["", " ", "\n\r\t", "\u00a0", "\u3000", "\ufeff", "\u2028"])
    expect(await refusal(channel, chatId, { text }), JSON.stringify(text)).toBe("400 invalid_request /text");
  expect((await channel.send(chatId, { text: "\u200b" })).status).toBe(201);
});

test("stores text unchanged or refuses it", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const text of ["\u0000", "a\u0000b", "\ud83d", "\ude00x"])
    expect(await refusal(channel, chatId, { text })).toBe("400 invalid_request /text");
  const kept = [
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳",
    "👨‍👩‍👧‍👦".repeat(300),
    "\u202eabc\u202c",
    "  leading and trailing \n",
    "'; DROP TABLE chats; -- %_\\ \"",
    "\u001b[2J\u009b\u0007",
    "e\u0301 \u00e9",
  ];
  for (const text of kept) {
    const { body } = await channel.send(chatId, { text });
    expect(body.item.message.text).toBe(text);
  }
  const page = await channel.call<{ items: Message[] }>(`/chats/${chatId}/messages?limit=50`);
  const own = page.body.items.filter((message) => message.role === "visitor");
  expect(own.map((message) => message.text)).toEqual(kept);
});

test("refuses malformed, duplicate and too many file IDs", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const id = (n: number) => `file_000${n}`;
  for (const fileIds of [[], [1, 2, 3, 4, 5].map(id), [id(1), id(1)], "file_0001", null, {}])
    expect(await refusal(channel, chatId, { text: "x", fileIds })).toBe("400 invalid_request /fileIds");
  for (const wrong of ["short", "with space", 1, null])
    expect(await refusal(channel, chatId, { fileIds: [id(1), wrong] })).toBe(
      "400 invalid_request /fileIds/1",
    );
  expect(await refusal(channel, chatId, { fileIds: [id(1)] })).toBe("404 file_not_found /fileIds/0");
  expect(await refusal(channel, chatId, {})).toBe("400 invalid_request /text");
  for (const text of [null, 1, ["x"], {}])
    expect(await refusal(channel, chatId, { text })).toBe("400 invalid_request /text");
});

test("requires a well-formed idempotency key", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const key of ["1234567", "a".repeat(129), "with space", "é-é-é-é-é", "a,b,c,d,e", "", "key/0001"])
    expect(
      await refusal(channel, chatId, { text: "x" }, { key: null, headers: { "idempotency-key": key } }),
    ).toBe("400 invalid_request /Idempotency-Key");
  expect(await refusal(channel, chatId, { text: "x" }, { key: null })).toBe(
    "400 invalid_request /Idempotency-Key",
  );
  for (const key of ["12345678", "a".repeat(128), "A-b._:9z"])
    expect((await channel.send(chatId, { text: "x" }, { key })).status).toBe(201);
});

test("an unknown chat and another channel's chat answer alike", async () => {
  const [channel, other] = await Promise.all([testChannel(), testChannel()]);
  const foreign = await other.createChat();
  for (const chatId of ["chat_0001", foreign])
    expect(await refusal(channel, chatId, { text: "x" })).toBe("404 chat_not_found");
});

test("Accept decides between JSON and a stream", async () => {
  const channel = await testChannel();
  const cases: [string | undefined, "application/json" | "text/event-stream" | 406][] = [
    [undefined, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["application/*", "application/json"],
    ["application/json", "application/json"],
    ["APPLICATION/JSON", "application/json"],
    ["application/json; charset=utf-8", "application/json"],
    ["text/html, */*;q=0.1", "application/json"],
    ["text/event-stream", "text/event-stream"],
    ["TEXT/Event-Stream", "text/event-stream"],
    ["text/event-stream; charset=utf-8", "text/event-stream"],
    ["text/*", "text/event-stream"],
    ["text/event-stream, */*", "text/event-stream"],
    ["application/json, text/event-stream", "text/event-stream"],
    ["text/event-stream;q=0.5, application/json", "application/json"],
    ["text/event-stream, application/json;q=0.9", "text/event-stream"],
    ["text/event-stream;q=0, application/json", "application/json"],
    ["application/json;q=0, */*", "text/event-stream"],
    ["text/event-stream;q=0", 406],
    ["text/event-stream;q=0, application/json;q=0", 406],
    ["*/*;q=0", 406],
    ["text/html", 406],
    ["text/plain", 406],
    ["application/xml", 406],
    ["image/*", 406],
    ["application/problem+json", 406],
    ["text/event-streams", 406],
    ["json", 406],
    ["text/event-stream;q=2", 406],
  ];
  const chatId = await channel.createChat();
  for (const [accept, expected] of cases) {
    const response = await channel.request(`/chats/${chatId}/messages`, {
      body: { text: "Hello" },
      headers: { accept },
    });
    if (expected === 406) {
      expect([response.status, await response.json()], accept).toMatchObject([
        406,
        { error: { code: "unsupported_accept" } },
      ]);
    } else {
      expect(response.status, accept).toBe(201);
      expect(response.headers.get("content-type")?.split(";")[0], accept).toBe(expected);
      await response.text();
    }
  }
});

test("no other operation reads Accept", async () => {
  const channel = await testChannel();
  const headers = { accept: "text/html", "last-event-id": "1" };
  const created = await channel.call<{ item: { id: string } }>("/chats", { body: {}, headers });
  expect(created.status).toBe(201);
  expect((await channel.call(`/chats/${created.body.item.id}/messages`, { headers })).status).toBe(200);
});

test("refuses Last-Event-ID", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  for (const accept of ["text/event-stream", "application/json"])
    for (const lastEventId of ["1", "", "x y"])
      expect(
        await refusal(channel, chatId, { text: "x" }, { headers: { accept, "last-event-id": lastEventId } }),
      ).toBe("400 unsupported_resume");
  expect((await channel.getChat(chatId)).updatedAt).toBe((await channel.getChat(chatId)).createdAt);
});

test("makes its checks in order", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const call = {
    key: "short",
    headers: { "content-type": "text/plain", accept: "text/html", "last-event-id": "1" } as Record<
      string,
      string
    >,
  };
  const big = "x".repeat(40_000);
  expect(await refusal(channel, "chat_0001", big, call)).toBe("415 unsupported_media_type");
  call.headers["content-type"] = "application/json";
  expect(await refusal(channel, "chat_0001", big, call)).toBe("413 payload_too_large");
  expect(await refusal(channel, "chat_0001", "{", call)).toBe("406 unsupported_accept");
  call.headers["accept"] = "application/json";
  expect(await refusal(channel, "chat_0001", "{", call)).toBe("400 unsupported_resume");
  delete call.headers["last-event-id"];
  expect(await refusal(channel, "chat_0001", "{", call)).toBe("400 invalid_request /Idempotency-Key");
  call.key = randomUUID();
  expect(await refusal(channel, "chat_0001", "{", call)).toBe("400 invalid_json");
  expect(await refusal(channel, "chat_0001", { text: 1 }, call)).toBe("400 invalid_request /text");
  expect(await refusal(channel, "chat_0001", { fileIds: ["file_0001"] }, call)).toBe("404 chat_not_found");
  await channel.send(chatId, { text: "used" }, { key: call.key });
  expect(await refusal(channel, chatId, { fileIds: ["file_0001"] }, call)).toBe("409 idempotency_conflict");
});
