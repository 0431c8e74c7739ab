/** Cases that `e2e/contract/files.spec.ts` does not cover: races and expiry. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testChat } from "../testing/test-channel.ts";

test("twenty parallel uploads with one key store one file", async () => {
  const { channel, chatId } = await testChat();
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => channel.upload(chatId, undefined, key)),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(responses.map((response) => response.body.item.id)).size).toBe(1);
});

test("an expired file counts against no limit until it is restored", async () => {
  const { channel, chatId } = await testChat();
  const [text, key] = ["22 bytes, or nearly so", randomUUID()];
  channel.channel.settings.changeLimits({ fileBytesPerChat: text.length });
  expect((await channel.upload(chatId, text, key)).status).toBe(201);
  expect((await channel.upload(chatId, text)).body.error.code).toBe("file_storage_limit");
  await channel.advance(25 * 60 * 60 * 1000);
  expect((await channel.upload(chatId, text)).status).toBe(201);
  expect((await channel.upload(chatId, text, key)).body.error.code).toBe("file_storage_limit");
});
