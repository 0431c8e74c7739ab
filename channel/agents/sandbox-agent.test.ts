import { expect, test } from "vitest";
import { readTurnStream } from "../testing/read-turn-stream.ts";
import { testChannel } from "../testing/test-channel.ts";
import { createSandboxAgent } from "./sandbox-agent.ts";

const anHour = 60 * 60 * 1000;

test("paces a streamed reply, but not one that is read as JSON", async () => {
  const channel = await testChannel({ agent: createSandboxAgent({ pace: anHour }) });
  const chatId = await channel.createChat();
  const { status, body } = await channel.send(chatId, { text: "one two three" });
  expect(status).toBe(201);
  expect(body.item.reply?.text).toBe("Echo: one two three");

  const stream = await channel.stream(await channel.createChat());
  expect((await readTurnStream(stream, (events) => events.length < 2)).text).toBe("Echo");
  await channel.channel.stop(0);
});
