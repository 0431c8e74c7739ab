/** No word of a customer is left after its time, nor after the customer was erased. */
import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import { readChatCount } from "../chats/chat-store.ts";
import { claim } from "../testing/claimed-turn.ts";
import { type TestChannel, testChannel, testChat } from "../testing/test-channel.ts";

const day = 24 * 60 * 60 * 1000;

/** The rows of the channel's chats, by table. */
async function stored({ database: { sql: db }, channelKey }: TestChannel) {
  const ofChannel = sql`chat_id in (select id from chats where channel_key = ${channelKey})`;
  const isOwn: Record<string, SQL> = {
    chats: sql`channel_key = ${channelKey}`,
    file_parts: sql`file_id in (select id from files where ${ofChannel})`,
  };
  for (const table of ["messages", "operations", "files", "collections", "outbox"]) isOwn[table] = ofChannel;
  const tables: Record<string, unknown[]> = {};
  for (const [table, condition] of Object.entries(isOwn))
    tables[table] = (await db.execute(sql`select * from ${sql.identifier(table)} where ${condition}`)).rows;
  return tables;
}

test("after a year keeps no word, name or byte of a message, and its keys still replay", async () => {
  const { channel, chatId } = await testChat();
  channel.agent.answer(() => [{ type: "text", text: "Your Zwetschge is safe" }]);
  const [uploadKey, key] = [randomUUID(), randomUUID()];
  const file = (await channel.upload(chatId, "The Zwetschge itself", uploadKey)).body.item;
  const body = { text: "My Zwetschge", fileIds: [file.id] };
  const sent = (await channel.send(chatId, body, { key })).body.item;
  await channel.advance(366 * day);
  await channel.channel.runJobs();
  const tables = await stored(channel);
  expect(JSON.stringify(tables)).not.toMatch(/Zwetschge|a\.txt/);
  expect([tables["messages"], tables["files"], tables["file_parts"]]).toEqual([[], [], []]);
  expect((await channel.getChat(chatId)).historyComplete).toBe(false);

  const replay = await channel.send(chatId, body, { key });
  expect(replay.status).toBe(200);
  const { message, reply, chat } = replay.body.item;
  expect([message.id, message.text, message.files]).toEqual([sent.message.id, "", []]);
  expect([reply?.id, reply?.text, chat]).toEqual([sent.reply?.id, "", sent.chat]);
  const again = await channel.upload(chatId, "The Zwetschge itself", uploadKey);
  expect([again.status, again.body.item.id, again.body.item.filename]).toEqual([200, file.id, "a.txt"]);
  expect((await channel.request(`/chats/${chatId}/files/${file.id}`)).status).toBe(200);
});

test("drops a message and what its key replays together, or neither of them", async () => {
  let isKilled = true;
  const channel = await testChannel({
    reach(point) {
      if (isKilled && point === "inside-sweep") throw new Error("killed");
    },
  });
  const [chatId, key] = [await channel.createChat(), randomUUID()];
  const sent = await channel.send(chatId, { text: "My Zwetschge" }, { key });
  await channel.advance(366 * day);
  await channel.channel.runJobs();
  expect(await channel.messagesOf(chatId)).toHaveLength(2);
  expect((await channel.send(chatId, { text: "My Zwetschge" }, { key })).body).toEqual(sent.body);
  isKilled = false;
  await channel.channel.runJobs();
  expect(JSON.stringify(await stored(channel))).not.toContain("Zwetschge");
});

test("leaves the old messages of a chat alone while a turn runs in it", async () => {
  const { channel, chatId } = await testChat();
  await channel.send(chatId, { text: "Old" });
  await channel.advance(366 * day);
  expect(await claim(channel, { chatId })).toBeDefined();
  const before = await channel.getChat(chatId);
  await channel.channel.runJobs();
  expect(await channel.getChat(chatId)).toEqual(before);
  expect((await channel.messagesOf(chatId))[0]?.text).toBe("Old");
});

test("keeps a file that a younger message carries, too", async () => {
  const { channel, chatId } = await testChat();
  const { id } = (await channel.upload(chatId)).body.item;
  await channel.send(chatId, { fileIds: [id] });
  await channel.advance(200 * day);
  await channel.send(chatId, { fileIds: [id] });
  await channel.advance(200 * day);
  await channel.channel.runJobs();
  expect((await channel.messagesOf(chatId)).map(({ files }) => files.length)).toEqual([1, 0]);
  expect((await channel.request(`/chats/${chatId}/files/${id}`)).status).toBe(200);
});

test("forgets an unsent file with its name, and restores both from its upload", async () => {
  const { channel, chatId } = await testChat();
  const key = randomUUID();
  const { item } = (await channel.upload(chatId, undefined, key)).body;
  await channel.advance(25 * 60 * 60 * 1000);
  await channel.channel.runJobs();
  expect(JSON.stringify(await stored(channel))).not.toContain(item.filename);
  const again = await channel.upload(chatId, undefined, key);
  expect([again.status, again.body.item]).toMatchObject([200, { id: item.id, filename: item.filename }]);
  expect((await channel.send(chatId, { fileIds: [item.id] })).status).toBe(201);
});

test("erases a customer with everything, and nobody else", async () => {
  const channel = await testChannel();
  const userId = "customer:42";
  const keys = [randomUUID(), randomUUID()];
  const other = await channel.createChat({ userId: "another-customer" });
  for (const key of keys) {
    const { item } = (await channel.call<{ item: Chat }>("/chats", { body: { userId }, key })).body;
    channel.agent.answer(() => [{ type: "offer_handoff" }]);
    const { reply } = (await channel.send(item.id, { text: "My Zwetschge" })).body.item;
    const accepted = { confirmationId: reply?.handoffOffer?.confirmationId, email: "ana@shop.example" };
    expect((await channel.call(`/chats/${item.id}/handoff`, { body: accepted })).status).toBe(201);
  }
  const erase = async () => {
    const response = await channel.asTeam(`/team/customers/${encodeURIComponent(userId)}`, undefined, {
      method: "DELETE",
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { erased: number }).erased;
  };
  expect(await Promise.all([erase(), erase()])).toContain(2);
  expect(await erase()).toBe(0);
  expect(JSON.stringify(await stored(channel))).not.toMatch(/Zwetschge|ana@|customer:42/);
  expect(await (await channel.asTeam("/lab/requests")).text()).not.toMatch(/Zwetschge|ana@|customer:42/);
  for (const key of keys) {
    const { status, body } = await channel.call("/chats", { body: { userId }, key });
    expect([status, body]).toMatchObject([410, { error: { code: "idempotency_resource_gone" } }]);
  }
  expect(await readChatCount(channel.database.sql, channel.channelKey)).toBe(1);
  expect((await channel.getChat(other)).userId).toBe("another-customer");
});
