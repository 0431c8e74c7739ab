/** Cases that `e2e/contract/send-message.spec.ts` does not cover. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startedAfter, testChannel } from "../testing/test-channel.ts";

test("drops choices that are blank or longer than a message", async () => {
  const { send, createChat, agent } = await testChannel();
  agent.answer(() => [{ type: "choices", choices: ["Yes", "", " ", "No", "a".repeat(4_001)] }]);
  const { reply } = (await send(await createChat(), { text: "Hello" })).body.item;
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

test("claims a turn in a chat that another process has changed since this one's last", async () => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const other = await startedAfter(channel);
  for (const one of [channel, other, channel, channel, other])
    expect((await one.send(chatId, { text: "Hello" })).status).toBe(201);
  expect((await channel.messagesOf(chatId)).map(({ role }) => role)).toEqual(
    Array.from({ length: 5 }, () => ["visitor", "agent"]).flat(),
  );
});

test.each([
  ["operation_capacity_reached", { operationsPerChat: 1 }],
  ["chat_limit_reached", { chatsPerChannel: 0 }],
  ["service_unavailable", { concurrentTurns: 0 }],
])("refuses with %s in a chat that it has just answered", async (code, limits) => {
  const channel = await testChannel();
  const chatId = await channel.createChat();
  const key = randomUUID();
  await channel.send(chatId, { text: "Hello" }, { key });
  channel.channel.settings.changeLimits(limits);
  expect((await channel.send(chatId, { text: "Again" })).body.error.code).toBe(code);
  expect((await channel.send(chatId, { text: "Hello" }, { key })).status).toBe(200);
  expect((await channel.send(chatId, { text: "Other" }, { key })).body.error.code).toBe(
    "idempotency_conflict",
  );
});
