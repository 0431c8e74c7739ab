/** Uploads and downloads over HTTP (docs/chat-api.md, "File", "Limits"). */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import { File as FileItem } from "#lib/chat-api/file.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { chats, fileParts, files } from "../db/schema.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { testDatabase } from "../testing/test-database.ts";
import { createDatabaseFileStore } from "./database-file-store.ts";
import type { FileStore } from "./file-store.ts";
import { sweepUnsentFiles } from "./sweep-files.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const hour = 60 * 60 * 1000;

afterEach(async () => {
  const { sql } = await testDatabase();
  await sql.delete(fileParts);
});

test("a file is downloaded as uploaded, with its type and name", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const { status, body } = await upload(channel, chatId, {
    bytes: pixel,
    type: "image/png",
    name: "Zoë's “bike”.png",
  });
  expect(status).toBe(201);
  expect(body.item).toEqual(FileItem.parse(body.item));
  expect(body.item).toMatchObject({
    chatId,
    filename: "Zoë's “bike”.png",
    mediaType: "image/png",
    byteSize: pixel.byteLength,
  });
  expect(body.item.id).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
  expect(body.item.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(body.item.expiresAt ?? "") - Date.parse(body.item.createdAt)).toBe(24 * hour);

  const download = await channel.request(`/chats/${chatId}/files/${body.item.id}`);
  expect(download.status).toBe(200);
  expect(download.headers.get("content-type")).toBe("image/png");
  expect(download.headers.get("content-length")).toBe(String(pixel.byteLength));
  expect(download.headers.get("content-disposition")).toBe(
    "attachment; filename=\"Zo_'s _bike_.png\"; filename*=UTF-8''Zo%C3%AB%27s%20%E2%80%9Cbike%E2%80%9D.png",
  );
  expect(download.headers.get("x-content-type-options")).toBe("nosniff");
  expect(download.headers.get("content-security-policy")).toContain("sandbox");
  expect(download.headers.get("ratelimit-limit")).toMatch(/^\d+$/);
  expect(Buffer.from(await download.arrayBuffer())).toEqual(pixel);
});

test("accepts exactly 4 MiB and refuses one byte more", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const bytes = Buffer.alloc(limits.fileBytes, Buffer.from(Array.from({ length: 251 }, (_, n) => n)));
  bytes.set(pixel);
  const whole = await upload(channel, chatId, { bytes, type: "image/png" });
  expect(whole.status).toBe(201);
  const download = await channel.request(`/chats/${chatId}/files/${whole.body.item.id}`);
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);

  const larger = await upload(channel, chatId, {
    bytes: Buffer.concat([bytes, Buffer.alloc(1)]),
    type: "image/png",
  });
  expect(larger).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } });
  expect(await partsOf(channel, chatId)).toBe(1);
});

test("stores an empty text file", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const { body } = await upload(channel, chatId, { bytes: "" });
  const download = await channel.request(`/chats/${chatId}/files/${body.item.id}`);
  expect(download.headers.get("content-length")).toBe("0");
  expect(await download.text()).toBe("");
});

test.each([
  ["not multipart", 415, "unsupported_media_type", { contentType: "application/json" }],
  ["of a type that is not allowed", 415, "unsupported_file", { type: "image/svg+xml" }],
  ["not of the type that it says", 415, "unsupported_file", { type: "image/png" }],
  ["not called `file`", 400, "invalid_request", { field: "attachment" }],
  ["compressed", 415, "unsupported_media_type", { encoding: "gzip" }],
] as const)("an upload that is %s answers %i %s and keeps nothing", async (_name, status, code, changes) => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  expect(await upload(channel, chatId, changes)).toMatchObject({ status, body: { error: { code } } });
  expect(await partsOf(channel, chatId)).toBe(0);
});

test("an upload needs an existing chat and an idempotency key", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const code = async (place: string, changes: UploadOptions = {}) =>
    (await upload(channel, place, changes)).body.error.code;
  expect(await code("chat_unknown_0123456789")).toBe("chat_not_found");
  expect(await code("short")).toBe("invalid_id");
  expect(await code(chatId, { key: null })).toBe("invalid_request");
  expect(await code(chatId, { key: "seven77" })).toBe("invalid_request");
});

test("a repeated upload with another boundary is a replay", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  const first = await upload(channel, chatId, { key, boundary: "first-boundary" });
  const second = await upload(channel, chatId, { key, boundary: "another" });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toEqual(first.body);
  expect(await partsOf(channel, chatId)).toBe(1);
});

test.each([
  ["one byte", { bytes: "My rear wheel wobblez." }],
  ["the name", { name: "b.txt" }],
])("the same key with %s changed is a conflict", async (_name, changes) => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  await upload(channel, chatId, { key });
  const conflict = await upload(channel, chatId, { key, ...changes });
  expect(conflict).toMatchObject({ status: 409, body: { error: { code: "idempotency_conflict" } } });
  expect(await partsOf(channel, chatId)).toBe(1);
});

test("the same key in another chat is a conflict", async () => {
  const channel = await testChannel();
  const [one, other] = [await channel.createChat(), await channel.createChat()];
  const key = randomUUID();
  await upload(channel, one, { key });
  expect(await upload(channel, other, { key })).toMatchObject({ status: 409 });
});

test("twenty parallel uploads with one key make one file", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(channel, chatId, { key })));
  expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(answers.map((answer) => answer.body.item.id)).size).toBe(1);
  expect(await partsOf(channel, chatId)).toBe(1);
});

test("parallel uploads cannot exceed the number of files", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await addFiles(channel, chatId, limits.filesPerChat - 1, 1);
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => upload(channel, chatId, { bytes: `file ${n}` })),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
  const refused = answers.find((answer) => answer.status === 409);
  expect(refused?.body.error.code).toBe("file_limit_reached");
  expect(await partsOf(channel, chatId)).toBe(1);
});

test("parallel uploads cannot exceed the storage; one that fits is accepted", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await addFiles(channel, chatId, 20, limits.fileBytesPerChat / 20 - 5);
  const answers = await Promise.all(
    Array.from({ length: 3 }, (_, n) => upload(channel, chatId, { bytes: `${n}`.repeat(60) })),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  expect(answers.find((answer) => answer.status === 409)?.body.error.code).toBe("file_storage_limit");
  expect((await upload(channel, chatId, { bytes: "x".repeat(40) })).status).toBe(201);
  expect((await upload(channel, chatId, { bytes: "x" })).body.error.code).toBe("file_storage_limit");
});

test("expired files do not count against the limits", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await addFiles(channel, chatId, limits.filesPerChat, 1);
  await advance(channel, 25 * hour);
  expect((await upload(channel, chatId)).status).toBe(201);
});

test("a sent file never expires; its upload's replay is unchanged", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  const { body } = await upload(channel, chatId, { key });
  const sent = await channel.send(chatId, { text: "Look", fileIds: [body.item.id] });
  expect(sent.body.item.message.files).toEqual([{ ...body.item, expiresAt: null }]);
  await advance(channel, 25 * hour);
  await sweep(channel);
  const download = await channel.request(`/chats/${chatId}/files/${body.item.id}`);
  expect(await download.text()).toBe("My rear wheel wobbles.");
  const replay = await upload(channel, chatId, { key });
  expect(replay).toMatchObject({ status: 200, body });
});

test.each(["before", "after"])(
  "an unsent file expires after a day and can be restored (%s the sweep)",
  async (when) => {
    const channel = await testChannel();
    const chatId = await channel.createChat();
    const key = randomUUID();
    const { body } = await upload(channel, chatId, { key });
    const place = `/chats/${chatId}/files/${body.item.id}`;
    await advance(channel, 24 * hour);
    if (when === "after") {
      await sweep(channel);
      expect(await partsOf(channel, chatId)).toBe(0);
    }
    expect(await channel.call(place)).toMatchObject({
      status: 404,
      body: { error: { code: "file_not_found" } },
    });
    const refused = await channel.send(chatId, { fileIds: [body.item.id] });
    expect(refused).toMatchObject({
      status: 404,
      body: { error: { code: "file_not_found", field: "/fileIds/0" } },
    });

    const again = await upload(channel, chatId, { key });
    expect(again.status).toBe(200);
    expect(again.body.item).toEqual({ ...body.item, expiresAt: again.body.item.expiresAt });
    expect(Date.parse(again.body.item.expiresAt ?? "")).toBeGreaterThanOrEqual(
      channel.channel.settings.clock.now().getTime() + 23 * hour,
    );
    expect(await (await channel.request(place)).text()).toBe("My rear wheel wobbles.");
    await sweep(channel);
    expect((await channel.send(chatId, { fileIds: [body.item.id] })).status).toBe(201);
  },
);

test("restoring a file counts against the limits", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  await upload(channel, chatId, { key });
  await advance(channel, 25 * hour);
  await addFiles(channel, chatId, limits.filesPerChat, 1);
  expect((await upload(channel, chatId, { key })).body.error.code).toBe("file_limit_reached");
});

test("a file with lost bytes is not ready until it is uploaded again", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  const { body } = await upload(channel, chatId, { key });
  const place = `/chats/${chatId}/files/${body.item.id}`;
  await channel.database.sql.delete(fileParts);
  expect(await channel.call(place)).toMatchObject({
    status: 409,
    body: { error: { code: "file_not_ready" } },
  });
  expect(await channel.send(chatId, { fileIds: [body.item.id] })).toMatchObject({
    status: 409,
    body: { error: { code: "file_not_ready" } },
  });
  const again = await upload(channel, chatId, { key });
  expect(again).toMatchObject({ status: 200, body: { item: { id: body.item.id } } });
  expect((await channel.request(place)).status).toBe(200);
  expect(await upload(channel, chatId, { key })).toEqual(again);
});

test("a lost file can be uploaded again to a chat that is full", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  const { body } = await upload(channel, chatId, { key });
  await addFiles(channel, chatId, limits.filesPerChat - 1, 1);
  await channel.database.sql.delete(fileParts);
  const place = `/chats/${chatId}/files/${body.item.id}`;
  expect((await channel.request(place)).status).toBe(409);
  expect((await upload(channel, chatId, { key })).status).toBe(200);
  expect((await channel.request(place)).status).toBe(200);
});

test("a closed chat refuses uploads but serves its files", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  const { body } = await upload(channel, chatId, { key });
  await channel.database.sql.update(chats).set({ mode: "resolved" }).where(eq(chats.id, chatId));
  expect((await upload(channel, chatId)).body.error.code).toBe("chat_closed");
  expect(await upload(channel, chatId, { key })).toMatchObject({ status: 200, body });
  expect((await channel.request(`/chats/${chatId}/files/${body.item.id}`)).status).toBe(200);
});

test("a file is found in its own chat only", async () => {
  const channel = await testChannel();
  const [one, other] = [await channel.createChat(), await channel.createChat()];
  const { body } = await upload(channel, one);
  const foreign = await channel.call<ErrorBody>(`/chats/${other}/files/${body.item.id}`);
  const unknown = await channel.call<ErrorBody>(`/chats/${other}/files/file_unknown_0123456789`);
  expect([foreign.status, foreign.body.error.code]).toEqual([404, "file_not_found"]);
  expect({ ...foreign.body.error, requestId: "" }).toEqual({ ...unknown.body.error, requestId: "" });
  expect(await channel.call(`/chats/chat_unknown_0123456789/files/${body.item.id}`)).toMatchObject({
    body: { error: { code: "chat_not_found" } },
  });
  expect(await channel.call(`/chats/${one}/files/short`)).toMatchObject({
    body: { error: { code: "invalid_id" } },
  });
  expect(await channel.send(other, { fileIds: [body.item.id] })).toMatchObject({
    body: { error: { code: "file_not_found" } },
  });
});

test("ignores Range; a client that disconnects midway does no harm", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const bytes = Buffer.alloc(1024 * 1024, "a");
  const { body } = await upload(channel, chatId, { bytes });
  const place = `/chats/${chatId}/files/${body.item.id}`;
  const ranged = await channel.request(place, { headers: { range: "bytes=0-9" } });
  expect([ranged.status, (await ranged.arrayBuffer()).byteLength]).toEqual([200, bytes.byteLength]);
  const reader = (await channel.request(place)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect((await channel.request(place)).status).toBe(200);
});

test("a truncated upload leaves nothing behind; its repetition makes one file", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  const whole = multipart({ bytes: "a".repeat(300 * 1024) });
  for (let tenth = 1; tenth < 10; tenth += 1) {
    const sent = whole.subarray(0, (whole.byteLength * tenth) / 10);
    const cut = await send(channel, chatId, breakingOff(sent), { key });
    expect(cut).toMatchObject({ status: 500, body: { error: { code: "internal_error" } } });
  }
  expect(await partsOf(channel, chatId)).toBe(0);
  const answer = await send(channel, chatId, new Blob([new Uint8Array(whole)]).stream(), { key });
  expect(answer.status).toBe(201);
  expect(await channel.database.sql.select().from(files).where(eq(files.chatId, chatId))).toHaveLength(1);
});

test("an upload fails if its bytes cannot be stored, and works when repeated", async () => {
  let isFull = true;
  const channel = await testChannel();
  const whole = createDatabaseFileStore(channel.database);
  const failing: FileStore = {
    ...whole,
    put: (bytes) => (isFull ? Promise.reject(new Error("no space left")) : whole.put(bytes)),
  };
  const other = await testChannel({
    database: channel.database,
    channelKey: channel.channelKey,
    files: failing,
  });
  const chatId = await other.createChat();
  const key = randomUUID();
  expect(await upload(other, chatId, { key })).toMatchObject({
    status: 500,
    body: { error: { code: "internal_error" } },
  });
  isFull = false;
  expect((await upload(other, chatId, { key })).status).toBe(201);
});

test("sweeps orphaned bytes after an hour, but no others", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  await upload(channel, chatId);
  const store = createDatabaseFileStore(channel.database);
  const [young, old] = await Promise.all([store.put(only("young")), store.put(only("old"))]);
  const longAgo = new Date(Date.now() - 2 * hour);
  await channel.database.sql
    .update(fileParts)
    .set({ storedAt: longAgo })
    .where(eq(fileParts.storageKey, old));
  await store.removeOrphans();
  await expect(read(store, young)).resolves.toBe("young");
  await store.remove([young]);
  await expect(read(store, old)).rejects.toThrowError(/no bytes/);
  expect(await partsOf(channel, chatId)).toBe(1);
});

interface UploadOptions {
  bytes?: string | Buffer;
  type?: string;
  name?: string;
  field?: string;
  key?: string | null;
  boundary?: string;
  contentType?: string;
  encoding?: string;
}

function multipart({ bytes = "My rear wheel wobbles.", type, name, field, boundary }: UploadOptions): Buffer {
  const disposition = `form-data; name="${field ?? "file"}"; filename="${name ?? "a.txt"}"`;
  return Buffer.concat([
    Buffer.from(
      `--${boundary ?? "b"}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type ?? "text/plain"}\r\n\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from(`\r\n--${boundary ?? "b"}--\r\n`),
  ]);
}

function upload(channel: TestChannel, chatId: string, options: UploadOptions = {}) {
  return send(channel, chatId, multipart(options), options);
}

async function send(
  channel: TestChannel,
  chatId: string,
  body: BodyInit | Buffer,
  { key, boundary, contentType, encoding }: UploadOptions,
) {
  const headers = new Headers({
    authorization: `Bearer ${channel.chatKey}`,
    "content-type": contentType ?? `multipart/form-data; boundary=${boundary ?? "b"}`,
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    ...(key === null ? {} : { "idempotency-key": key ?? randomUUID() }),
  });
  const url = `http://channel.test/v1/channels/${channel.channelKey}/chats/${chatId}/files`;
  // The types lack `duplex` and do not accept Node's Buffer as a body.
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const response = await channel.channel.fetch(new Request(url, init));
  // Each test states what it expects of the body.
  const answer = (await response.json()) as { item: FileItem } & ErrorBody;
  return { status: response.status, body: answer };
}

/** Adds rows without bytes: files that nobody uploaded. */
async function addFiles(
  channel: TestChannel,
  chatId: string,
  count: number,
  byteSize: number,
): Promise<void> {
  const now = channel.channel.settings.clock.now();
  await channel.database.sql.insert(files).values(
    Array.from({ length: count }, () => ({
      id: `file_${randomUUID()}`,
      chatId,
      operationId: "op_none",
      storageKey: null,
      filename: "a.txt",
      mediaType: "text/plain",
      byteSize,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 24 * hour),
    })),
  );
}

/** How many of the chat's files have bytes, after checking that all bytes belong to a file. */
async function partsOf(channel: TestChannel, chatId: string): Promise<number> {
  const { sql } = channel.database;
  const kept = await sql.select({ key: fileParts.storageKey }).from(fileParts);
  const owned = await sql.select({ key: files.storageKey, chatId: files.chatId }).from(files);
  const orphans = kept.filter((part) => !owned.some((file) => file.key === part.key));
  expect(orphans, "bytes without a file").toEqual([]);
  const own = owned.filter((file) => file.chatId === chatId);
  return own.filter((file) => kept.some((part) => part.key === file.key)).length;
}

async function advance(channel: TestChannel, milliseconds: number): Promise<void> {
  const { settings } = channel.channel;
  await settings.change({ clockOffsetMs: settings.current.clockOffsetMs + milliseconds });
}

async function sweep(channel: TestChannel): Promise<void> {
  await sweepUnsentFiles({
    database: channel.database,
    clock: channel.channel.settings.clock,
    store: createDatabaseFileStore(channel.database),
    reach: () => undefined,
    channelKey: channel.channelKey,
  });
}

function breakingOff(sent: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(sent);
      controller.error(new Error("connection reset"));
    },
  });
}

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function read(store: FileStore, storageKey: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of store.get(storageKey)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
