/** Cases that `e2e/contract/files.spec.ts` does not cover: races, expiry, deleted bytes. */
import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { limits } from "#lib/chat-api/limits.ts";
import { fileParts, files } from "../db/schema.ts";
import { type TestChannel, testChat } from "../testing/test-channel.ts";

const hour = 60 * 60 * 1000;

test("twenty parallel uploads with one key store one file", async () => {
  const { channel, chatId } = await testChat();
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => channel.upload(chatId, undefined, key)),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(responses.map((response) => response.body.item.id)).size).toBe(1);
  expect(await countWithBytes(channel, chatId)).toBe(1);
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
      filename: "a.txt",
      mediaType: "text/plain",
      byteSize,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 24 * hour),
    })),
  );
}

/** How many of the chat's files have bytes. */
function countWithBytes({ database }: TestChannel, chatId: string): Promise<number> {
  const own = database.sql.select({ id: files.id }).from(files).where(eq(files.chatId, chatId));
  return database.sql.$count(fileParts, and(inArray(fileParts.fileId, own), eq(fileParts.part, 0)));
}
