import { expect, test } from "vitest";
import { testChannel } from "../testing/test-channel.ts";

test("a message is stored and answered", async () => {
  const { send, createChat, getChat } = await testChannel();
  const chatId = await createChat();
  const before = await getChat(chatId);
  const { status, body } = await send(chatId, { text: "Hello" });
  expect(status).toBe(201);
  expect(body.item.message).toMatchObject({ chatId, role: "visitor", text: "Hello" });
  expect(body.item.reply).toMatchObject({ chatId, role: "agent", text: "Echo: Hello" });
  expect(body.item.chat).toEqual(await getChat(chatId));
  expect(body.item.chat.updatedAt > before.updatedAt).toBe(true);
});
