/** The sandbox agent: a word brings each thing that a reply can carry. */
import { type Api, errorOf } from "./support/api.ts";
import { expect, expectError, sandbox, test } from "./support/test.ts";

async function replyTo(api: Api, text: string) {
  const { id: chatId } = await api.createChat();
  const { reply, chat } = await api.sendMessage(chatId, { text });
  if (reply === null) throw new Error("there is no reply");
  return { chatId, reply, chat };
}

test("names its words and repeats every other text", sandbox, async ({ api }) => {
  const { reply } = await replyTo(api, "help");
  for (const word of ["citations", "products", "orders", "choices", "form", "offer", "fail", "close"])
    expect(reply.text).toContain(word);
  expect((await replyTo(api, "No such word")).reply.text).toBe("Echo: No such word");
});

test("shows as many cards as asked for, up to the limits", sandbox, async ({ api }) => {
  expect((await replyTo(api, "citations")).reply.citations).toHaveLength(2);
  expect((await replyTo(api, "Citations 20 ")).reply.citations).toHaveLength(20);
  expect((await replyTo(api, "products 9")).reply.products).toHaveLength(3);
  expect((await replyTo(api, "orders 99")).reply.orders).toHaveLength(10);
  expect((await replyTo(api, "choices")).reply.choices).toContain("form");
});

test("opens a form and answers its submission", sandbox, async ({ api }) => {
  const { chatId, reply } = await replyTo(api, "form");
  const { version, request, fields } = reply.collection ?? {};
  expect(fields?.map(({ type }) => type)).toEqual(["text", "choice", "email"]);
  await api.submitCollection(chatId, {
    collectionRequestId: request?.id,
    expectedVersion: version,
    action: "save",
    values: { reference: "A-1", reason: "damaged" },
  });
  expect((await api.allMessages(chatId)).at(-1)?.text).toContain("save");
});

test("offers the team: at once, with an e-mail address, or after a form", sandbox, async ({ api }) => {
  const plain = await replyTo(api, "offer");
  const confirmationId = plain.reply.handoffOffer?.confirmationId;
  expect((await api.handoff(plain.chatId, { confirmationId })).mode).toBe("waiting");

  const byEmail = await replyTo(api, "offer email");
  const json = { confirmationId: byEmail.reply.handoffOffer?.confirmationId };
  expect(byEmail.reply.handoffOffer?.requiresEmail).toBe(true);
  expectError(await api.call("handoff", { chatId: byEmail.chatId, json }), "invalid_request");
  const { handoff } = await api.handoff(byEmail.chatId, { ...json, email: "ana@example.com" });
  expect(handoff?.requiresEmail).toBe(true);

  const afterForm = await replyTo(api, "offer form");
  const accepted = { confirmationId: afterForm.reply.handoffOffer?.confirmationId };
  const refusal = await api.call("handoff", { chatId: afterForm.chatId, json: accepted });
  expectError(refusal, "collection_incomplete");
  expect((await api.getCollection(afterForm.chatId)).missing).toEqual(["topic"]);
});

test("ends with a question that replaces the streamed text", sandbox, async ({ api }) => {
  const { id: chatId } = await api.createChat();
  const stream = await api.stream(chatId, { text: "question" });
  const { text, turn } = await stream.all();
  expect(turn.reply?.text).toBe("Which size do you need?");
  expect(text).not.toContain("size do you need");
  expect((await api.allMessages(chatId)).at(-1)).toEqual(turn.reply);
});

test("fails, and closes the chat, on request", sandbox, async ({ api }) => {
  const { id: failing } = await api.createChat();
  const response = await api.call("sendMessage", { chatId: failing, json: { text: "fail" } });
  expect(errorOf(response).code).toBe("operation_interrupted");
  const { chatId, chat } = await replyTo(api, "close");
  expect(chat.mode).toBe("resolved");
  expect((await api.getChat(chatId)).resolvedAt).not.toBeNull();
  expectError(await api.call("sendMessage", { chatId, json: { text: "Hello?" } }), "chat_closed");
});
