/** Cases that `e2e/contract/collection.spec.ts` does not cover: follow-up turns and races. */
import { expect, test, vi } from "vitest";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { FormRequest } from "../agents/agent.ts";
import { lateReply } from "../testing/scripted-agent.ts";
import { testChat } from "../testing/test-channel.ts";

const form: FormRequest = {
  collectionId: "find-my-order",
  purpose: "To look up your order",
  fields: [
    { field: aField({ id: "order_reference", label: "Order reference" }), required: true },
    { field: aField({ id: "email", label: "Email", type: "email" }), required: true },
    { field: aField({ id: "note", label: "Note" }), required: false },
  ],
  canSkip: false,
  canCancel: true,
};
const answers = { order_reference: "TT-100482", email: "ana@example.com" };

test("saving answers 200 with the collection and starts a follow-up turn", async () => {
  const { channel, chatId, collection } = await withForm();
  const { status, body } = await channel.submit(chatId, collection, { values: answers });
  expect([status, body.item.version]).toEqual([200, collection.version + 1]);
  expect(channel.agent.turns.at(-1)?.trigger).toEqual({
    type: "form",
    collectionId: "find-my-order",
    action: "save",
  });
  expect(channel.agent.turns.at(-1)?.collection.values).toEqual(body.item.values);
  const messages = await channel.messagesOf(chatId);
  expect(messages.map((message) => [message.role, message.text])).toEqual([
    ["visitor", "Where is my order?"],
    ["agent", "One moment"],
    ["agent", "Echo: save"],
  ]);
  expect(await channel.collectionOf(chatId)).toEqual(body.item);
});

test("answers a submission before its slow follow-up turn ends, which blocks messages", async () => {
  const { channel, chatId, collection } = await withForm();
  const open = lateReply(channel.agent, "Found it");
  // The response waits for the turn no longer than this.
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort());
  expect((await channel.submit(chatId, collection, { values: answers })).status).toBe(200);
  expect((await channel.send(chatId, { text: "Still there?" })).body.error.code).toBe("turn_in_progress");
  open();
  await expect.poll(async () => (await channel.messagesOf(chatId)).at(-1)?.text).toBe("Found it");
});

test("the agent gets a turn after a form is cancelled or skipped", async () => {
  for (const action of ["cancel", "skip"] as const) {
    const { channel, chatId, collection } = await withForm({ ...form, canSkip: true });
    const { status, body } = await channel.submit(chatId, collection, { action });
    expect(status).toBe(200);
    expect(body.item.request).toBeNull();
    expect(channel.agent.turns.at(-1)?.trigger).toMatchObject({ type: "form", action });
  }
});

/** A chat in which the agent has requested the form. */
async function withForm(asked = form) {
  const { channel, chatId } = await testChat();
  channel.agent.answer(function* (turn) {
    if (turn.trigger.type === "form") yield { type: "text", text: `Echo: ${turn.trigger.action}` };
    else {
      yield { type: "text", text: "One moment" };
      yield { type: "request_form", form: asked };
    }
  });
  await channel.send(chatId, { text: "Where is my order?" });
  return { channel, chatId, collection: await channel.collectionOf(chatId) };
}
