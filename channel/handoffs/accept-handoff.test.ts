/**
 * Cases that `e2e/contract/handoff.spec.ts` does not cover: notices, races and required forms.
 */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Chat } from "#lib/chat-api/chat.ts";
import type { ErrorBody } from "#lib/chat-api/errors.ts";
import type { HandoffOffer } from "#lib/chat-api/message.ts";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { FormRequest } from "../agents/agent.ts";
import { collections, outbox } from "../db/schema.ts";
import { TeamHours } from "../db/team-hours.ts";
import type { TeamChat } from "../team/team-inbox.ts";
import { offeredChat, type TestChannel, testChannel } from "../testing/test-channel.ts";

type Answered = { item: Chat } & ErrorBody;

/** Open for one minute a week: away when the tests run. */
const away = TeamHours.parse({ timeZone: "Asia/Kolkata", weekly: { mon: [["03:00", "03:01"]] } });

const details: FormRequest = {
  collectionId: "before-we-pass-you-on",
  purpose: "So that the right person reads it",
  fields: [
    {
      field: aField({ id: "topic", type: "choice", choices: [{ id: "t1", label: "A repair" }] }),
      required: true,
    },
    { field: aField({ id: "email", type: "email" }), required: true },
  ],
  canSkip: false,
  canCancel: true,
};

test("accepting an offer adds a system message and stages a notice for the team", async () => {
  const { channel, chatId, offer } = await withOffer();
  await accept(channel, chatId, { confirmationId: offer.confirmationId });
  expect((await channel.messagesOf(chatId)).at(-1)).toMatchObject({
    role: "system",
    text: "Your chat has been passed to our team.",
  });
  const staged = await channel.database.sql.select().from(outbox).where(eq(outbox.chatId, chatId));
  expect(staged).toMatchObject([{ kind: "handoff_requested", attempts: 0 }]);
  const forms = await channel.database.sql.$count(collections, eq(collections.chatId, chatId));
  expect(forms, "forms of a chat that never had one").toBe(0);
});

test("a waiting chat shows the team's current availability", async () => {
  const { channel, chatId, offer } = await withOffer({ hours: away });
  await accept(channel, chatId, { confirmationId: offer.confirmationId, email: "ana@example.com" });
  await moveTo(channel, new Date(offer.nextAvailableAt ?? ""));
  expect((await channel.getChat(chatId)).handoff).toMatchObject({
    nextAvailableAt: null,
    timezone: "Asia/Kolkata",
  });
  const response = await channel.send(chatId, { text: "Is somebody there?" });
  expect(response).toMatchObject({ body: { item: { chat: { handoff: { nextAvailableAt: null } } } } });
  await moveTo(channel, new Date(Date.parse(offer.nextAvailableAt ?? "") + 60_000));
  const { nextAvailableAt } = (await channel.getChat(chatId)).handoff ?? {};
  expect(Date.parse(nextAvailableAt ?? "") - Date.parse(offer.nextAvailableAt ?? "")).toBe(
    7 * 24 * 60 * 60 * 1000,
  );
});

test("ten parallel requests make one handoff and one notice", async () => {
  const { channel, chatId, offer } = await withOffer();
  const { confirmationId } = offer;
  const results = await Promise.all(
    Array.from({ length: 10 }, () => accept(channel, chatId, { confirmationId })),
  );
  expect(results.map((result) => result.status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(results.find((result) => result.status === 409)?.body.error.code).toBe("confirmation_required");
  const staged = await channel.database.sql.select().from(outbox).where(eq(outbox.chatId, chatId));
  expect(staged).toHaveLength(1);
});

test("a handoff while the team is away takes the email address from the form", async () => {
  const { channel, chatId, offer } = await withOffer({ hours: away }, {}, details);
  const { confirmationId } = offer;
  expect((await accept(channel, chatId, { confirmationId })).body.error.code).toBe("collection_incomplete");
  const collection = await channel.collectionOf(chatId);
  const values = { topic: "t1", email: "ana@example.com" };
  const saved = await channel.submit(chatId, collection, { values });
  expect(saved.body.item).toMatchObject({ pendingAction: "handoff", request: null, missing: [] });
  // No follow-up turn starts: the handoff must find the chat free.
  expect(channel.agent.turns).toHaveLength(1);
  expect((await accept(channel, chatId, { confirmationId })).status).toBe(201);
  expect(await emailOf(channel, chatId)).toBe("ana@example.com");
});

async function withOffer(
  options: Parameters<typeof testChannel>[0] = {},
  chat: object = {},
  form?: FormRequest,
): Promise<{ channel: TestChannel; chatId: string; offer: HandoffOffer }> {
  const channel = await testChannel(options);
  return { channel, ...(await offeredChat(channel, chat, form)) };
}

function accept(channel: TestChannel, chatId: string, body: object, key = randomUUID()) {
  return channel.call<Answered>(`/chats/${chatId}/handoff`, { body, key });
}

/** The customer's address, as the team sees it. */
async function emailOf(channel: TestChannel, chatId: string): Promise<string | null> {
  const response = await channel.asTeam(`/team/chats/${chatId}`);
  return ((await response.json()) as { item: TeamChat }).item.email;
}

async function moveTo(channel: TestChannel, at: Date): Promise<void> {
  await channel.channel.settings.change({ clockOffsetMs: at.getTime() - Date.now() });
}
