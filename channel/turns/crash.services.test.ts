/** Kills the process at each kill point of a turn and checks that the next one answers the message once. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { MessageTurn } from "#lib/chat-api/message.ts";
import { turnLimits } from "../channel-limits.ts";
import { ChannelProcess, newHome, type ProcessHome } from "../testing/channel-process.ts";
import { type ReadStream, readTurnStream } from "../testing/read-turn-stream.ts";

const rounds = [1, 2];
/** The sandbox agent repeats it word by word, in more deltas than the last kill point counts. */
const question = Array.from({ length: 12 }, (_, index) => `word${index}`).join(" ");

interface Sending {
  chatId: string;
  key: string;
  stream: boolean;
}

function send(channel: ChannelProcess, { chatId, key, stream }: Sending): Promise<Response> {
  return channel.request(`/chats/${chatId}/messages`, {
    key,
    body: JSON.stringify({ text: question }),
    headers: { accept: stream ? "text/event-stream" : "application/json" },
  });
}

/** Reads until the connection breaks. */
async function readUntilCut(response: Promise<Response>): Promise<ReadStream | undefined> {
  try {
    return await readTurnStream(await response);
  } catch {
    // The connection may break before the headers or inside an event.
    return undefined;
  }
}

/** A process that kills itself while answering, and the request sent to it. */
async function crash(home: ProcessHome, killAt: string, stream: boolean): Promise<Sending> {
  const channel = await ChannelProcess.start(home, { killAt });
  const sending = { chatId: await channel.createChat(), key: randomUUID(), stream };
  const seen = await readUntilCut(send(channel, sending));
  expect(await channel.ended).toBe("SIGKILL");
  expect(seen?.events.some((event) => event.type === "done")).not.toBe(true);
  return sending;
}

/** Expects one stored message and one reply under the same key, as JSON and as a stream. */
async function expectAnsweredOnce(home: ProcessHome, sending: Sending, status: 200 | 201): Promise<void> {
  const channel = await ChannelProcess.start(home);
  const since = performance.now();
  const response = await send(channel, sending);
  expect(response.status).toBe(status);
  let item: MessageTurn;
  if (sending.stream) {
    const read = await readTurnStream(response);
    const last = read.events.at(-1);
    if (last?.type !== "done") throw new Error(`the stream ended with ${JSON.stringify(last)}`);
    ({ item } = last);
    expect(read.text).toBe(item.reply?.text);
  } else {
    ({ item } = (await response.json()) as { item: MessageTurn });
  }
  // The next process does not wait for the lease of the interrupted turn to expire.
  expect(performance.now() - since).toBeLessThan(turnLimits.lease);
  const replay = (await (await send(channel, { ...sending, stream: false })).json()) as { item: MessageTurn };
  expect(replay.item).toEqual(item);
  const messages = await channel.listed(sending.chatId);
  expect(messages.map((message) => message.role)).toEqual(["visitor", "agent"]);
  expect(messages[1]?.text).toBe(item.reply?.text);
  expect((messages[0]?.createdAt ?? "") <= (messages[1]?.createdAt ?? "")).toBe(true);
  const next = await send(channel, { ...sending, key: randomUUID(), stream: false });
  expect(next.status).toBe(201);
  channel.signal("SIGTERM");
  expect(await channel.ended).toBe(0);
}

test.each(rounds)(
  "treats a repeated request as the first when killed before the claim (round %i)",
  async (round) => {
    const home = await newHome();
    await expectAnsweredOnce(home, await crash(home, "before-claim", round > 1), 201);
  },
);

for (const point of [
  "after-claim",
  "after-start",
  "between-deltas",
  "before-finish",
  "after-finish",
  "inside-done",
] as const) {
  test.each(rounds)(`answers the message once when killed at ${point} (round %i)`, async (round) => {
    const home = await newHome();
    // A JSON reply does not reach the kill points inside a stream.
    const isStreamed = round > 1 || point === "after-start" || point === "inside-done";
    const at = point === "between-deltas" ? `between-deltas:${3 * round}` : point;
    await expectAnsweredOnce(home, await crash(home, at, isStreamed), 200);
  });
}

test.each(rounds)("answers the turn at the next start when killed while recovering (round %i)", async () => {
  const home = await newHome();
  const sending = await crash(home, "between-deltas:3", true);
  const recovering = await startOrEnd(home, "while-recovering");
  if (recovering !== undefined) expect(await recovering.ended).toBe("SIGKILL");
  await expectAnsweredOnce(home, sending, 200);
});

test("a message that kills the process three times answers operation_interrupted", async () => {
  const home = await newHome();
  const sending = await crash(home, "between-deltas:2", true);
  const other = randomUUID();
  for (let attempt = 2; attempt <= 3; attempt++) {
    const channel = await startOrEnd(home, "between-deltas:2");
    if (channel !== undefined) expect(await channel.ended).toBe("SIGKILL");
  }
  const channel = await ChannelProcess.start(home);
  const refusal = await send(channel, { ...sending, stream: false });
  expect([refusal.status, await refusal.json()]).toMatchObject([
    409,
    { error: { code: "operation_interrupted" } },
  ]);
  expect((await channel.listed(sending.chatId)).map((message) => message.role)).toEqual(["visitor"]);
  const elsewhere = { chatId: await channel.createChat(), key: other, stream: false };
  expect((await send(channel, elsewhere)).status).toBe(201);
  expect((await send(channel, { ...sending, key: randomUUID(), stream: false })).status).toBe(201);
});

/**
 * Starts a process that may be killed before it is ready, because it resumes the turn as soon as it listens.
 */
async function startOrEnd(home: ProcessHome, killAt: string): Promise<ChannelProcess | undefined> {
  try {
    return await ChannelProcess.start(home, { killAt });
  } catch (error) {
    if (error instanceof Error && error.message.includes("SIGKILL")) return undefined;
    throw error;
  }
}
