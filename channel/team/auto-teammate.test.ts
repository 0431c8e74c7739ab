/** The automatic teammate claims, answers, yields to people and survives a restart. */
import { expect, test } from "vitest";
import { lockChat } from "../chats/chat-store.ts";
import { appendMessage } from "../messages/message-store.ts";
import { waitingChat } from "../testing/handoff-chats.ts";
import { type TestChannel, testChannel } from "../testing/test-channel.ts";
import { autoLines } from "./auto-lines.ts";

const second = 1_000;
const name = "Zoë";
const options = { autoTeammate: true, console: { members: [name] } };

test("joins after twenty seconds and answers until its lines run out", async () => {
  const { channel, chatId } = await waiting();
  // Less than twenty seconds, because the channel's clock also advances while the test runs.
  await later(channel, 15 * second);
  expect((await channel.getChat(chatId)).mode).toBe("waiting");
  await later(channel, 5 * second);
  expect(await channel.getChat(chatId)).toMatchObject({ mode: "teammate", teammate: { name } });
  expect(await said(channel, chatId)).toEqual([]);
  await later(channel, 3 * second);
  await later(channel, 6 * second);
  const lines = autoLines("en", name);
  expect(await said(channel, chatId)).toEqual(lines.slice(0, 2));
  await later(channel, 60 * second);
  expect(await said(channel, chatId)).toHaveLength(2);
  for (let n = 3; n <= 6; n += 1) {
    await channel.send(chatId, { text: `Message ${n}` });
    await later(channel, 4 * second);
    expect(await said(channel, chatId)).toEqual(lines.slice(0, n));
  }
});

test("repeats no line after a system message", async () => {
  const { channel, chatId } = await waiting();
  await later(channel, 20 * second);
  await later(channel, 3 * second);
  await channel.database.transaction(async (tx) => {
    const chat = await lockChat(tx, { channelKey: channel.channelKey, chatId });
    await appendMessage(tx, chat, { role: "system", text: "Details" }, channel.channel.settings.clock.now());
  });
  await later(channel, 6 * second);
  await later(channel, 60 * second);
  expect(await said(channel, chatId)).toEqual(autoLines("en", name).slice(0, 2));
});

test("yields to a person who writes, even under the automatic teammate's name", async () => {
  const { channel, chatId } = await waiting();
  await later(channel, 20 * second);
  await team(channel, `/chats/${chatId}/messages`, { text: "A person here", name });
  await later(channel, 60 * second);
  await channel.send(chatId, { text: "Good" });
  await later(channel, 60 * second);
  expect(await said(channel, chatId)).toEqual(["A person here"]);

  const other = await waiting();
  await later(other.channel, 20 * second);
  await team(other.channel, `/chats/${other.chatId}/claim`, { name });
  await later(other.channel, 60 * second);
  expect(await said(other.channel, other.chatId)).toEqual([]);
});

test("leaves claimed chats alone", async () => {
  const { channel, chatId } = await waiting();
  await team(channel, `/chats/${chatId}/claim`, { name: "Priya N." });
  await later(channel, 60 * second);
  expect((await channel.getChat(chatId)).teammate).toEqual({ name: "Priya N." });
  expect(await said(channel, chatId)).toEqual([]);
});

test("another process continues the lines without repeating one", async () => {
  const { channel, chatId } = await waiting();
  await later(channel, 20 * second);
  await later(channel, 3 * second);
  const next = await testChannel({ ...options, database: channel.database, channelKey: channel.channelKey });
  await Promise.all([next.channel.runJobs(), channel.channel.runJobs()]);
  await later(next, 6 * second);
  await Promise.all([next.channel.runJobs(), channel.channel.runJobs()]);
  expect(await said(next, chatId)).toEqual(autoLines("en", name).slice(0, 2));
});

test("a chat keeps waiting if there is no automatic teammate", async () => {
  const { channel, chatId } = await waiting({ autoTeammate: false });
  await later(channel, 600 * second);
  expect((await channel.getChat(chatId)).mode).toBe("waiting");
});

test("has lines in the chat's language", () => {
  const lines = ["en", "de-AT", "fr", "ar", "ja"].map((locale) => autoLines(locale, name));
  expect(new Set(lines.flat()).size).toBe(lines.flat().length);
  expect(autoLines("tlh", name)).toEqual(autoLines("en", name));
});

async function waiting(changes: object = {}) {
  const channel = await testChannel({ ...options, ...changes });
  return { channel, chatId: (await waitingChat(channel)).chatId };
}

/** Moves the channel's clock and runs the due jobs. */
async function later({ channel }: TestChannel, milliseconds: number): Promise<void> {
  const { clockOffsetMs } = await channel.settings.refresh();
  await channel.settings.change({ clockOffsetMs: clockOffsetMs + milliseconds });
  await channel.runJobs();
}

async function said(channel: TestChannel, chatId: string): Promise<string[]> {
  return (await channel.messagesOf(chatId))
    .filter((message) => message.role === "teammate")
    .map((message) => message.text);
}

async function team(channel: TestChannel, path: string, body: object): Promise<void> {
  expect((await channel.asTeam(`/team${path}`, body)).ok).toBe(true);
}
