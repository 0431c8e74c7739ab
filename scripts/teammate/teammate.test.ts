/** The automatic teammate in front of a real channel: claims, answers, yields to people. */
import { expect, test } from "vitest";
import { type TestChannel, testChannel, waitingChat } from "../../channel/testing/test-channel.ts";
import lines from "./lines.json" with { type: "json" };
import { createTeammate } from "./teammate.ts";

const name = "Zoë";
const own = lines.en.map((line) => line.replace("{name}", name));
/** Longer than every pause. */
const long = 60_000;

async function waiting() {
  const channel = await testChannel();
  const { chatId } = await waitingChat(channel);
  let now = 0;
  const step = createTeammate(channel.asTeam, [name]);
  return {
    channel,
    chatId,
    /** Looks at the chats, and once more after the time. */
    async after(milliseconds: number) {
      await step(now);
      now += milliseconds;
      await step(now);
    },
    said: () => saidIn(channel, chatId),
  };
}

async function saidIn(channel: TestChannel, chatId: string): Promise<string[]> {
  const messages = await channel.messagesOf(chatId);
  return messages.filter(({ role }) => role === "teammate").map(({ text }) => text);
}

test("joins after twenty seconds and answers until its lines run out", async () => {
  const { channel, chatId, after, said } = await waiting();
  await after(19_999);
  expect((await channel.getChat(chatId)).mode).toBe("waiting");
  await after(1);
  expect(await channel.getChat(chatId)).toMatchObject({ mode: "teammate", teammate: { name } });
  await after(2_999);
  expect(await said()).toEqual([]);
  await after(1);
  await after(6_000);
  expect(await said()).toEqual(own.slice(0, 2));
  await after(long);
  expect(await said()).toHaveLength(2);
  for (let count = 3; count <= 6; count += 1) {
    await channel.send(chatId, { text: `Message ${count}` });
    await after(4_000);
    expect(await said()).toEqual(own.slice(0, count));
  }
});

test("yields to a person who writes, even under its own name", async () => {
  const { channel, chatId, after, said } = await waiting();
  await after(long);
  await channel.asTeam(`/team/chats/${chatId}/messages`, { text: "A person here", name });
  await channel.send(chatId, { text: "Good" });
  await after(long);
  expect(await said()).toEqual(["A person here"]);
});

test("yields to a person who takes the chat over, and leaves a person's chats alone", async () => {
  const { channel, chatId, after, said } = await waiting();
  await after(long);
  await after(long);
  expect(await said()).toEqual(own.slice(0, 1));
  await channel.asTeam(`/team/chats/${chatId}/claim`, { name: "Priya N.", takesOver: true });
  await after(long);
  expect(await said()).toEqual(own.slice(0, 1));

  const other = await waitingChat(channel);
  await channel.asTeam(`/team/chats/${other.chatId}/claim`, { name });
  await after(long);
  expect(await saidIn(channel, other.chatId)).toEqual([]);
});

test("goes on after a restart and repeats no line", async () => {
  const { channel, chatId, after, said } = await waiting();
  await after(long);
  await after(long);
  const next = createTeammate(channel.asTeam, [name]);
  await next(0);
  await next(long);
  expect(await said()).toEqual(own.slice(0, 2));
  await channel.send(chatId, { text: "Thank you" });
  await next(long);
  await next(2 * long);
  expect(await said()).toEqual(own.slice(0, 3));
});
