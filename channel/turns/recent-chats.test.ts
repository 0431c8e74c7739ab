/** The earlier messages that the agent receives, whether they come from the database or from memory. */
import { expect, test } from "vitest";
import { turnLimits } from "../base/channel-limits.ts";
import { type TestChannel, testChat, testOrigin } from "../testing/test-channel.ts";

const historyOf = (channel: TestChannel) =>
  channel.agent.turns.at(-1)?.history.map(({ role, text }) => `${role}: ${text}`);

test("gives each turn the latest messages before it, in order", async () => {
  const { channel, chatId } = await testChat();
  const texts: string[] = [];
  for (let index = 0; index <= turnLimits.historyMessages / 2 + 1; index += 1) {
    await channel.send(chatId, { text: `Question ${index}` });
    expect(historyOf(channel)).toEqual(texts.slice(-turnLimits.historyMessages));
    texts.push(`visitor: Question ${index}`, `agent: Echo: Question ${index}`);
  }
});

test("includes the messages that the team stored between two turns", async () => {
  const { channel, chatId } = await testChat();
  await channel.send(chatId, { text: "One" });
  for (const [action, body] of [
    ["claim", { name: "Ada" }],
    ["messages", { text: "I am here" }],
    ["release", {}],
  ] as const) {
    const answer = await channel.channel.fetch(
      new Request(`${testOrigin}/team/chats/${chatId}/${action}`, {
        method: "POST",
        headers: { authorization: `Bearer ${channel.teamKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    expect(answer.ok).toBe(true);
  }
  await channel.send(chatId, { text: "Two" });
  expect(historyOf(channel)?.slice(0, 2)).toEqual(["visitor: One", "agent: Echo: One"]);
  expect(historyOf(channel)).toContain("teammate: I am here");
});
