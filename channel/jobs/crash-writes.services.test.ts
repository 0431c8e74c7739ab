/** Kills the process inside one-transaction writes and sweeps. */

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { ScriptedReply } from "../lab/lab-client.ts";
import { ChannelProcess, newHome, type ProcessHome } from "../testing/channel-process.ts";

const rounds = [1, 2];
const day = 24 * 60 * 60;

/** Starts a process that kills itself during the request, and repeats the request to the next process. */
async function crashAndRepeat(
  home: ProcessHome,
  killAt: string,
  prepare: (channel: ChannelProcess) => Promise<(channel: ChannelProcess) => Promise<Response>>,
): Promise<{ channel: ChannelProcess; response: Response }> {
  const doomed = await ChannelProcess.start(home, { killAt });
  const ask = await prepare(doomed);
  await expect(ask(doomed)).rejects.toThrow();
  expect(await doomed.ended).toBe("SIGKILL");
  const channel = await ChannelProcess.start(home);
  return { channel, response: await ask(channel) };
}

async function scriptReply(
  channel: ChannelProcess,
  chatId: string,
  reply: Partial<ScriptedReply>,
): Promise<void> {
  await channel.lab.reply({ text: "Well.", ...reply }, chatId);
  const body = JSON.stringify({ text: "Hello" });
  expect((await channel.request(`/chats/${chatId}/messages`, { body })).status).toBe(201);
}

test.each(rounds)("stores one file when killed inside an upload that is repeated (round %i)", async () => {
  const key = randomUUID();
  const { channel, response } = await crashAndRepeat(await newHome(), "inside-upload", async (doomed) => {
    const chatId = await doomed.createChat();
    return (target) => {
      const body = new FormData();
      body.append("file", new Blob(["some text"], { type: "text/plain" }), "notes.txt");
      return target.request(`/chats/${chatId}/files`, { body, key });
    };
  });
  expect(response.status).toBe(201);
  const { item } = (await response.json()) as { item: { id: string; chatId: string } };
  const download = await channel.request(`/chats/${item.chatId}/files/${item.id}`);
  expect([download.status, await download.text()]).toEqual([200, "some text"]);
});

test.each(rounds)("saves answers once when killed inside a submission (round %i)", async () => {
  const key = randomUUID();
  const { channel, response } = await crashAndRepeat(await newHome(), "inside-submission", async (doomed) => {
    const chatId = await doomed.createChat();
    const field = aField({ id: "size", label: "Size" });
    await scriptReply(doomed, chatId, {
      collection: { collectionId: "sizes", purpose: "To help.", fields: [{ field, required: true }] },
    });
    const read = await doomed.request(`/chats/${chatId}/collection`);
    const { item } = (await read.json()) as { item: { version: number; request: { id: string } } };
    const body = JSON.stringify({
      collectionRequestId: item.request.id,
      expectedVersion: item.version,
      action: "save",
      values: { size: "54" },
    });
    return (target) => target.request(`/chats/${chatId}/collection`, { body, key });
  });
  const { item } = (await response.json()) as { item: { values: { value: string }[]; request: unknown } };
  expect(response.status).toBe(200);
  expect(item.values.map((value) => value.value)).toEqual(["54"]);
  channel.signal("SIGTERM");
  expect(await channel.ended).toBe(0);
});

test.each(rounds)("hands a chat over once when killed around a handoff (round %i)", async (round) => {
  const key = randomUUID();
  const home = await newHome();
  let chatId = "";
  // The first visit is inside the transaction, the second during the delivery to the team.
  const inDelivery = round > 1;
  const doomed = await ChannelProcess.start(home, {
    killAt: inDelivery ? "around-handoff:2" : "around-handoff",
  });
  chatId = await doomed.createChat();
  await scriptReply(doomed, chatId, { handoffOffer: true });
  const messages = await doomed.request(`/chats/${chatId}/messages`);
  const { items } = (await messages.json()) as {
    items: { handoffOffer: { confirmationId: string } | null }[];
  };
  const confirmationId = items.at(-1)?.handoffOffer?.confirmationId;
  const body = JSON.stringify({ confirmationId, email: "ana@example.com" });
  const ask = (target: ChannelProcess) => target.request(`/chats/${chatId}/handoff`, { body, key });
  if (inDelivery) expect((await ask(doomed)).status).toBe(201);
  else await expect(ask(doomed)).rejects.toThrow();
  expect(await doomed.ended).toBe("SIGKILL");
  const channel = await ChannelProcess.start(home);
  const response = await ask(channel);
  expect(response.status).toBe(inDelivery ? 200 : 201);
  expect(await response.json()).toMatchObject({ item: { mode: "waiting", handoff: { status: "waiting" } } });
  await expect.poll(() => notices(channel)).toHaveLength(1);
  const again = await ask(channel);
  expect(again.status).toBe(200);
  expect(notices(channel)).toHaveLength(1);
});

/** Notices printed by this process. */
function notices(channel: ChannelProcess): string[] {
  return channel.logLines.filter((line) => line.includes('"kind":"handoff_requested"'));
}

test.each(rounds)("refuses an expired key after a kill inside the sweep (round %i)", async () => {
  const home = await newHome();
  const key = randomUUID();
  const first = await ChannelProcess.start(home);
  expect((await first.request("/chats", { body: "{}", key })).status).toBe(201);
  await first.lab.advance(31 * day);
  const late = await first.request("/chats", { body: "{}", key });
  expect(await late.json()).toMatchObject({ error: { code: "idempotency_key_expired" } });
  first.signal("SIGTERM");
  await first.ended;
  // Its first sweep may begin before it is ready.
  const doomed = ChannelProcess.start(home, { killAt: "inside-sweep:2" });
  const end = await doomed.then(
    ({ ended }) => ended,
    (error: Error) => error.message,
  );
  expect(end).toMatch(/^SIGKILL$|ended \(SIGKILL\) before it was ready/);
  const channel = await ChannelProcess.start(home);
  const again = await channel.request("/chats", { body: "{}", key });
  expect(await again.json()).toMatchObject({ error: { code: "idempotency_key_expired" } });
  const fresh = await channel.request("/chats", { body: "{}" });
  expect(fresh.status).toBe(201);
});
