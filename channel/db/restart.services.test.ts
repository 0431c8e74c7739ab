/** PostgreSQL restarts: the channel stays up and running turns are answered. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { PostgresServer } from "../../testing/services/postgres-server.ts";
import { turnLimits } from "../channel-limits.ts";
import { ChannelProcess } from "../testing/channel-process.ts";
import { type ReadStream, readTurnStream } from "../testing/read-turn-stream.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.create(inject("postgresBin"));
});
afterAll(() => server.remove());

const question = Array.from({ length: 20 }, (_, index) => `word${index}`).join(" ");
/** The sandbox agent's answer. */
const text = `Echo: ${question}`;
/** Milliseconds between two words, so that a reply takes longer than a restart. */
const pace = "100";

interface Sending {
  chatId: string;
  key: string;
}

async function startChannel(): Promise<ChannelProcess> {
  const env = { CHANNEL_LAB: "0", CHANNEL_AGENT_PACE: pace };
  return ChannelProcess.start({ databaseUrl: server.url, dataDir: "/nonexistent" }, { env });
}

function send(channel: ChannelProcess, { chatId, key }: Sending): Promise<Response> {
  const headers = { accept: "text/event-stream" };
  return channel.request(`/chats/${chatId}/messages`, {
    key,
    body: JSON.stringify({ text: question }),
    headers,
  });
}

async function newSending(channel: ChannelProcess): Promise<Sending> {
  return { chatId: await channel.createChat(), key: randomUUID() };
}

/** Reads to the end; repeats the request after `service_unavailable`, as that code requires. */
async function readToEnd(channel: ChannelProcess, sending: Sending, first: Response): Promise<ReadStream> {
  for (let response = first; ; response = await send(channel, sending)) {
    if (!response.ok) {
      expect(response.status).toBeLessThan(504);
      await response.body?.cancel();
    } else {
      const read = await readTurnStream(response);
      const last = read.events.at(-1);
      if (last?.type === "done") return read;
      expect(last).toMatchObject({ type: "error", error: { code: "service_unavailable" } });
    }
    await pause(100);
  }
}

/** Reads chats until stopped, so that connections are busy when the database goes away. */
function keepReading(channel: ChannelProcess, chatId: string): () => Promise<void> {
  let goesOn = true;
  const loops = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (goesOn) {
        const response = await channel.request(`/chats/${chatId}`);
        await response.arrayBuffer();
        await pause(5);
      }
    }),
  );
  // The returned function reports a failure.
  loops.catch(() => undefined);
  return async () => {
    goesOn = false;
    await loops;
  };
}

async function restart(how: "fast" | "immediate"): Promise<void> {
  await server.stop(how === "fast" ? "SIGINT" : "SIGQUIT");
  await server.start();
}

test.each(["fast", "immediate", "fast", "immediate"] as const)(
  "running turns survive a database restart (%s)",
  async (how) => {
    const [one, two] = await Promise.all([startChannel(), startChannel()]);
    const sendings = await Promise.all(Array.from({ length: 10 }, () => newSending(one)));
    const endReading = [one, two].map((channel) => keepReading(channel, sendings[0]?.chatId ?? ""));
    // Half of the turns have a reader in the other process as well.
    const readers = sendings.flatMap((sending, index) =>
      (index % 2 === 0 ? [one] : [one, two]).map((channel) => ({ channel, sending })),
    );
    const streams: Response[] = [];
    for (const { channel, sending } of readers) streams.push(await send(channel, sending));
    const reading = readers.map(({ channel, sending }, index) =>
      readToEnd(channel, sending, streams[index] ?? Response.error()),
    );
    await restart(how);
    const since = performance.now();
    for (const read of await Promise.all(reading)) expect(read.text).toBe(text);
    // A process that had lost its turns would wait for their leases to expire.
    expect(performance.now() - since).toBeLessThan(turnLimits.lease);
    for (const end of endReading) await end();
    for (const [index, sending] of sendings.entries()) {
      const channel = index % 3 === 0 ? two : one;
      expect((await readTurnStream(await send(channel, sending))).text).toBe(text);
      const messages = await channel.listed(sending.chatId);
      expect(messages.map((message) => message.role)).toEqual(["visitor", "agent"]);
    }
    for (const channel of [one, two]) {
      channel.signal("SIGTERM");
      expect(await channel.ended).toBe(0);
    }
  },
);
