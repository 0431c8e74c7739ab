/** Cases that `e2e/contract/files.spec.ts` does not cover: races, expiry, missing and orphaned bytes. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { limits } from "#lib/chat-api/limits.ts";
import { fileParts, files } from "../db/schema.ts";
import { type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";
import { testDatabase } from "../testing/test-database.ts";
import { createDatabaseFileStore } from "./database-file-store.ts";
import type { FileStore } from "./file-store.ts";

const hour = 60 * 60 * 1000;

// The database may have bytes from another test file.
beforeEach(async () => {
  const { sql } = await testDatabase();
  await sql.delete(fileParts);
});

test("twenty parallel uploads with one key store one file", async () => {
  const { channel, chatId } = await testChat();
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => channel.upload(chatId, undefined, key)),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(responses.map((response) => response.body.item.id)).size).toBe(1);
  expect(await partsOf(channel, chatId)).toBe(1);
});

test("parallel uploads cannot exceed the storage, but one that fits is accepted", async () => {
  const { channel, chatId } = await testChat();
  await addFiles(channel, chatId, 20, limits.fileBytesPerChat / 20 - 5);
  const responses = await Promise.all(
    Array.from({ length: 3 }, (_, n) => channel.upload(chatId, `${n}`.repeat(60))),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([201, 409, 409]);
  expect(responses.find((response) => response.status === 409)?.body.error.code).toBe("file_storage_limit");
  expect((await channel.upload(chatId, "x".repeat(40))).status).toBe(201);
  expect((await channel.upload(chatId, "x")).body.error.code).toBe("file_storage_limit");
});

test("expired files do not count against the limits", async () => {
  const { channel, chatId } = await testChat();
  await addFiles(channel, chatId, limits.filesPerChat, 1);
  await channel.advance(25 * hour);
  expect((await channel.upload(chatId)).status).toBe(201);
});

test("restoring a file counts against the limits", async () => {
  const { channel, chatId } = await testChat();
  const key = randomUUID();
  await channel.upload(chatId, undefined, key);
  await channel.advance(25 * hour);
  await addFiles(channel, chatId, limits.filesPerChat, 1);
  expect((await channel.upload(chatId, undefined, key)).body.error.code).toBe("file_limit_reached");
});

test("a client that disconnects during a download leaves the file readable", async () => {
  const { channel, chatId } = await testChat();
  const { body } = await channel.upload(chatId, "a".repeat(1024 * 1024));
  const path = `/chats/${chatId}/files/${body.item.id}`;
  const reader = (await channel.request(path)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect((await channel.request(path)).status).toBe(200);
});

test("an upload whose bytes cannot be stored fails, and succeeds when repeated", async () => {
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
  expect(await other.upload(chatId, undefined, key)).toMatchObject({
    status: 500,
    body: { error: { code: "internal_error" } },
  });
  isFull = false;
  expect((await other.upload(chatId, undefined, key)).status).toBe(201);
});

test("sweeps orphaned bytes after an hour, but no others", async () => {
  const { channel, chatId } = await testChat();
  await channel.upload(chatId);
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

/** Adds files that nobody uploaded: rows without bytes. */
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

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function read(store: FileStore, storageKey: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of store.get(storageKey)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
