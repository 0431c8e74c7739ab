import { expect, test } from "vitest";
import type { MessagePage } from "#lib/chat-api/message.ts";
import { testChat } from "../testing/test-channel.ts";

const day = 24 * 60 * 60 * 1000;

test("a cursor expires after a day", async () => {
  const { channel, chatId } = await testChat();
  await channel.send(chatId, { text: "Hello" });
  const list = (query: string) => channel.call<MessagePage>(`/chats/${chatId}/messages${query}`);
  const cursor = (await list("?limit=1")).body.nextCursor;
  await channel.advance(day - 60_000);
  expect((await list(`?cursor=${cursor}`)).status).toBe(200);
  await channel.advance(60_000);
  const expired = { code: "cursor_expired", field: "/cursor" };
  expect(await list(`?cursor=${cursor}`)).toMatchObject({ status: 410, body: { error: expired } });
});
