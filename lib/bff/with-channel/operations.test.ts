/** Files, forms, handoffs and operator faults through the BFF, against this file's own channel. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type RunningChannel, startChannel } from "../testing/channel-process.ts";
import {
  freshKey,
  startTestBff,
  type TestBff,
  type TestBrowser,
  testEnvironment,
} from "../testing/test-bff.ts";

let channel: RunningChannel;
let t: TestBff;
beforeAll(async () => {
  channel = await startChannel();
  t = startTestBff(testEnvironment(channel));
}, 120_000);
afterAll(async () => {
  await t.stop();
  await channel.stop();
});

async function lab(method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(`${channel.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${channel.teamKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${path}: ${await response.text()}`).toBe(true);
}
afterEach(async () => {
  await lab("DELETE", "/lab/faults");
  await lab("POST", "/lab/channel", { published: true, suspended: false });
});

async function newChat(browser: TestBrowser = t.browser()) {
  await browser.start();
  const { item } = await (await browser.post("/api/chat/chats", {})).json();
  return { browser, chatId: String(item.id), path: `/api/chat/chats/${item.id}` };
}

function upload(
  browser: TestBrowser,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  name: string,
  key = freshKey(),
) {
  const form = new FormData();
  form.append("file", new Blob([bytes], { type }), name);
  return browser.send(`${path}/files`, { method: "POST", body: form, headers: { "idempotency-key": key } });
}

const png = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const codeOf = async (response: Response) => (await response.json()).error?.code;

test("stores a file once, returns it unchanged and only for its chat", async () => {
  const { browser, path } = await newChat();
  const key = freshKey();
  const first = await upload(browser, path, png, "image/png", "bell.png", key);
  expect(first.status).toBe(201);
  const { item } = await first.json();
  const again = await upload(browser, path, png, "image/png", "bell.png", key);
  expect(again.status).toBe(200);
  expect((await again.json()).item.id).toBe(item.id);
  const changed = new Uint8Array([...png, 0]);
  expect(await codeOf(await upload(browser, path, changed, "image/png", "bell.png", key))).toBe(
    "idempotency_conflict",
  );

  const file = await browser.get(`${path}/files/${item.id}`);
  expect(file.headers.get("content-type")).toBe("image/png");
  expect(file.headers.get("content-disposition")).toMatch(/^inline; filename="bell.png"/);
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(png);

  const sent = await browser.post(`${path}/messages`, { text: "look", fileIds: [item.id] });
  expect((await sent.json()).item.message.files).toMatchObject([{ id: item.id, expiresAt: null }]);

  const stranger = await newChat();
  const foreign = await stranger.browser.get(`${stranger.path}/files/${item.id}`);
  expect(foreign.status).toBe(404);
  expect(await codeOf(foreign)).toBe("file_not_found");
});

test("retries lost responses without duplicating a file, chat or message", async () => {
  const { browser, path } = await newChat();
  for (const operation of ["uploadFile", "sendMessage"]) {
    await lab("POST", "/lab/faults", { operation, fault: "drop", at: "response", times: 1 });
  }
  expect([200, 201]).toContain((await upload(browser, path, png, "image/png", "a.png")).status);
  expect([200, 201]).toContain((await browser.post(`${path}/messages`, { text: "hello" })).status);
  const { items } = await (await browser.get(`${path}/messages`)).json();
  expect(items.filter(({ role }: { role: string }) => role === "visitor")).toHaveLength(1);
});

test("completes a stream that the channel cuts after some deltas", async () => {
  const { browser, chatId, path } = await newChat();
  await lab("POST", "/lab/faults", { operation: "sendMessage", fault: "drop", afterDeltas: 2, times: 2 });
  await lab("POST", "/lab/reply", { chatId, reply: { text: "one two three four five six", delayMs: 5 } });
  const response = await browser.post(`${path}/messages`, { text: "count" }, { accept: "text/event-stream" });
  const text = await response.text();
  const deltas = [...text.matchAll(/event: delta\ndata: (.*)/g)].map(
    ([, data]) => JSON.parse(data ?? "").text,
  );
  expect(deltas.join("")).toBe("one two three four five six");
  expect(text.match(/event: start/g)).toHaveLength(1);
  expect(text).toContain("event: done");
});

test("attaches a second tab's repeated request to the running reply", async () => {
  const { browser, chatId, path } = await newChat();
  const text = "one two three four five six seven eight nine ten";
  await lab("POST", "/lab/reply", { chatId, reply: { text, holdsAfter: 2 } });
  const send = () =>
    browser.post(
      `${path}/messages`,
      { text: "count" },
      { accept: "text/event-stream", "idempotency-key": key },
    );
  const key = freshKey();
  const first = await send();
  const reader = first.body?.getReader();
  let shown = "";
  while (!shown.includes("event: delta")) shown += Buffer.from((await reader?.read())?.value ?? []);
  // The reply is in progress, so the second request attaches to it.
  const second = await send();
  expect([first.status, second.status]).toEqual([201, 200]);
  const joined = second.text();
  await lab("POST", "/lab/reply/continue", { chatId });
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
    shown += Buffer.from(piece.value);
  const ends = [shown, await joined].map((stream) => {
    const events = [...stream.matchAll(/event: (\w+)\ndata: (.*)/g)].map(([, type, data]) => ({
      type,
      data: JSON.parse(data ?? ""),
    }));
    expect(events.filter(({ type }) => type !== "delta").map(({ type }) => type)).toEqual(["start", "done"]);
    expect(events.flatMap(({ data }) => data.text ?? []).join("")).toBe(text);
    return events.at(-1)?.data;
  });
  expect(ends[0]).toEqual(ends[1]);
  const { items } = await (await browser.get(`${path}/messages`)).json();
  expect(items).toHaveLength(2);
});

test("repeats the same operation after an upgrade between attempt and retry", async () => {
  const before = startTestBff(testEnvironment(channel));
  const secret = "the new secret of the upgraded process";
  const environment = testEnvironment(channel);
  const after = startTestBff({
    ...environment,
    SESSION_SECRET: `${secret},${environment["SESSION_SECRET"]}`,
  });
  const [old, upgraded] = [before.browser(), after.browser()];
  await old.start();
  upgraded.cookie = old.cookie;

  /** The outbox repeats the request, which another version of the page may serialise differently. */
  async function twice(path: string, body: string, rewritten: string) {
    const headers = { "content-type": "application/json", "idempotency-key": freshKey() };
    const first = await old.send(path, { method: "POST", body, headers });
    const again = await upgraded.send(path, { method: "POST", body: rewritten, headers });
    expect(first.ok, path).toBe(true);
    expect(again.status, path).toBe(200);
    const [one, two] = [await first.json(), await again.json()];
    expect(two, path).toEqual(one);
    return one.item;
  }

  const chat = await twice("/api/chat/chats", '{"locale":"en"}', "{}");
  const path = `/api/chat/chats/${chat.id}`;
  const file = (await (await upload(old, path, png, "image/png", "bell.png")).json()).item;
  const offer = { text: "Shall I pass you on?", handoffOffer: true };
  await lab("POST", "/lab/reply", { chatId: chat.id, reply: offer });
  const fileIds = JSON.stringify([file.id]);
  const turn = await twice(
    `${path}/messages`,
    `{"text":"Gr\u00fc\u00dfe","fileIds":${fileIds}}`,
    `{ "fileIds": ${fileIds},\n "text": "Gr\\u00fc\\u00dfe" }`,
  );
  const { confirmationId } = turn.reply.handoffOffer;
  const email = "customer@example.com";
  await twice(
    `${path}/handoff`,
    JSON.stringify({ confirmationId, email }),
    JSON.stringify({ locale: "en", email, confirmationId }),
  );
  const key = freshKey();
  expect((await upload(old, path, png, "image/png", "again.png", key)).status).toBe(201);
  expect((await upload(upgraded, path, png, "image/png", "again.png", key)).status).toBe(200);
  await before.stop();
  await after.stop();
});

test("reads and fills in a form, rejects an old version and keeps prototype names", async () => {
  const { browser, chatId, path } = await newChat();
  const field = (id: string) => ({
    field: { id, label: id, description: "", type: "text", choices: [] },
    required: true,
  });
  const collection = {
    collectionId: "odd-names",
    purpose: "To see that names do not matter.",
    fields: [field("__proto__"), field("constructor")],
    canSkip: true,
    canCancel: true,
  };
  await lab("POST", "/lab/reply", { chatId, reply: { text: "Please fill in", collection } });
  await browser.post(`${path}/messages`, { text: "form please" });
  const read = async () => (await (await browser.get(`${path}/collection`)).json()).item;
  const open = await read();
  expect(open.request).toMatchObject({ collectionId: "odd-names", complete: false });
  const values = '{"__proto__":"a","constructor":"b"}';
  const body = `{"collectionRequestId":${JSON.stringify(open.request.id)},"expectedVersion":${open.version},"action":"save","values":${values}}`;
  const key = freshKey();
  const submit = () =>
    browser.send(`${path}/collection`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "idempotency-key": key },
    });
  const saved = await submit();
  expect(saved.status).toBe(200);
  const { item } = await saved.json();
  expect(
    item.values.map(({ fieldId, value }: { fieldId: string; value: string }) => [fieldId, value]).toSorted(),
  ).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
  expect((await submit()).status).toBe(200);
  const stale = await browser.post(`${path}/collection`, {
    collectionRequestId: open.request.id,
    expectedVersion: open.version,
    action: "save",
    values: {},
  });
  expect(stale.status).toBe(409);
});

test("accepts a handoff once, then waits for the team", async () => {
  const { browser, chatId, path } = await newChat();
  await lab("POST", "/lab/reply", { chatId, reply: { text: "Shall I pass you on?", handoffOffer: true } });
  const { item } = await (await browser.post(`${path}/messages`, { text: "a person please" })).json();
  const { confirmationId } = item.reply.handoffOffer;
  const body = { confirmationId, email: "customer@example.com" };
  const key = { "idempotency-key": freshKey() };
  const accepted = await browser.post(`${path}/handoff`, body, key);
  expect(accepted.status).toBe(201);
  expect((await accepted.json()).item).toMatchObject({ mode: "waiting", handoff: { status: "waiting" } });
  expect((await browser.post(`${path}/handoff`, body, key)).status).toBe(200);
  const stale = await browser.post(`${path}/handoff`, { ...body, confirmationId: "stale-confirmation" });
  expect(await codeOf(stale)).toBe("confirmation_required");
  const waiting = await (await browser.post(`${path}/messages`, { text: "anyone there?" })).json();
  expect(waiting.item.reply).toBeNull();
});

test("answers chat_unavailable while the agent is unpublished or the workspace suspended", async () => {
  const { browser, path } = await newChat();
  let now = Date.now();
  const own = startTestBff(testEnvironment(channel), { clock: () => now });
  const ready = async () => {
    now += 10_000;
    return (await own.browser().get("/api/chat/health/ready")).status;
  };
  expect(await ready()).toBe(200);
  for (const state of [{ published: false }, { suspended: true }]) {
    await lab("POST", "/lab/channel", state);
    const response = await browser.post(`${path}/messages`, { text: "hello" });
    expect(response.status).toBe(503);
    expect(await codeOf(response)).toBe("chat_unavailable");
    expect(await ready()).toBe(503);
    await lab("POST", "/lab/channel", { published: true, suspended: false });
    expect((await browser.post(`${path}/messages`, { text: "hello" })).status).toBe(201);
    expect(await ready()).toBe(200);
  }
  await own.stop();
});

test("logs one clear line for a wrong chat key", async () => {
  const wrong = startTestBff(testEnvironment({ ...channel, chatKey: "ck_not_the_right_one" }));
  const browser = wrong.browser();
  await browser.start();
  for (let press = 0; press < 5; press += 1)
    expect((await browser.post("/api/chat/chats", {})).status).toBe(503);
  expect(wrong.lines.filter(({ event }) => event === "operator_fault")).toMatchObject([
    { code: "invalid_api_key", msg: expect.stringContaining("CHAT_KEY") },
  ]);
  await wrong.stop();
});
