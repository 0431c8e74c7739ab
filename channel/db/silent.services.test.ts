/** PostgreSQL connections that fall silent: they neither answer nor close. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, inject, onTestFinished, test } from "vitest";
import { PostgresServer } from "../../testing/services/postgres-server.ts";
import { silentProxy } from "../../testing/services/silent-proxy.ts";
import { ChannelProcess, newPostgresDatabase } from "../testing/channel-process.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";

async function channelBehindProxy() {
  const proxy = await silentProxy(await newPostgresDatabase());
  onTestFinished(proxy.close);
  const channel = await ChannelProcess.start({ databaseUrl: proxy.url, dataDir: "/nonexistent" });
  return { proxy, channel };
}

test("answers the running turns and takes new messages after all connections have fallen silent", async () => {
  const { proxy, channel } = await channelBehindProxy();
  const deltas = Array.from({ length: 10 }, (_, index) => `Part ${index}. `);
  const send = (chatId: string, key: string) =>
    channel.request(`/chats/${chatId}/messages`, {
      key,
      body: JSON.stringify({ text: "Hello" }),
      headers: { accept: "text/event-stream" },
    });
  const sendings = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const chatId = await channel.createChat();
      await channel.lab.reply({ text: deltas.join(""), deltas, delayMs: 100 }, chatId);
      return { chatId, key: randomUUID() };
    }),
  );
  const streams = await Promise.all(sendings.map(({ chatId, key }) => send(chatId, key)));
  proxy.silence();
  const ends = await Promise.all(streams.map((stream) => readTurnStream(stream)));
  for (const { text } of ends) expect(text).toBe(deltas.join(""));
  for (const { chatId, key } of sendings) {
    expect((await readTurnStream(await send(chatId, key))).events.at(-1)).toMatchObject({ type: "done" });
    expect((await send(chatId, randomUUID())).status).toBe(201);
  }
});

test.each([false, true])("SIGTERM ends a channel whose database hangs (in a turn: %s)", async (inTurn) => {
  const { proxy, channel } = await channelBehindProxy();
  const chatId = await channel.createChat();
  if (inTurn) {
    await channel.lab.reply({ text: "One two three", holdsAfter: 1 }, chatId);
    const body = JSON.stringify({ text: "Hello" });
    // The stream ends with the process.
    void channel.request(`/chats/${chatId}/messages`, { body, headers: { accept: "text/event-stream" } });
    await expect.poll(async () => (await channel.listed(chatId)).length).toBe(1);
  }
  proxy.silence({ andNewOnes: true });
  channel.signal("SIGTERM");
  // Promised in docs/promises.md.
  expect(await Promise.race([channel.ended, pause(15_000, "still running")])).toBe(0);
});

test("waits for a PostgreSQL that is still starting", async () => {
  const server = await PostgresServer.create(inject("postgresBin"));
  onTestFinished(() => server.remove());
  await server.stop();
  const dropping = createServer((socket) => socket.destroy());
  dropping.listen(Number(new URL(server.url).port), "127.0.0.1");
  const starting = ChannelProcess.start({ databaseUrl: server.url, dataDir: "/nonexistent" });
  // A failure is reported by the await below.
  starting.catch(() => undefined);
  await once(dropping, "connection");
  await new Promise((resolve) => dropping.close(resolve));
  await server.start();
  const channel = await starting;
  expect(channel.logLines.join("\n")).toContain("waiting for the database");
  await channel.createChat();
});
