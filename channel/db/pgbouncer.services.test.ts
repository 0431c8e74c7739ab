/** Two channels behind PgBouncer in transaction mode. */
import { randomUUID } from "node:crypto";
import { expect, inject, onTestFinished, test } from "vitest";
import { startPgBouncer } from "../../testing/services/pgbouncer.ts";
import { newPostgresDatabase } from "../testing/channel-process.ts";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { heldReply } from "../testing/scripted-agent.ts";
import { testChannel } from "../testing/test-channel.ts";
import { openPostgres } from "./postgres.ts";

const pgbouncer = inject("pgbouncer");

async function behindPgBouncer() {
  const directUrl = await newPostgresDatabase();
  const bouncer = await startPgBouncer(pgbouncer, directUrl);
  onTestFinished(bouncer.stop);
  return async (channelKey?: string) => {
    const database = await openPostgres(bouncer.url, { directUrl });
    const channel = await testChannel({ database, ...(channelKey === undefined ? {} : { channelKey }) });
    channel.channel.start();
    onTestFinished(async () => {
      await channel.channel.stop(0);
      await database.close();
    });
    return channel;
  };
}

test.runIf(pgbouncer !== "")("two channels share chats, streams and keys through PgBouncer", async () => {
  const open = await behindPgBouncer();
  const one = await open();
  const two = await open(one.channelKey);
  const chats = await Promise.all(Array.from({ length: 20 }, () => one.createChat()));
  const sent = await Promise.all(chats.map((chatId) => two.send(chatId, { text: "Hello" })));
  expect(sent.map(({ body }) => body.item.reply?.text)).toEqual(chats.map(() => "Echo: Hello"));

  const [chatId = ""] = chats;
  const [reply, key] = [heldReply(one.agent), randomUUID()];
  const first = readTurnStream(await one.stream(chatId, key));
  const joined = readTurnStream(await two.stream(chatId, key));
  reply.second();
  reply.third();
  expect([(await first).text, (await joined).text]).toEqual(["One two three.", "One two three."]);
});
