/**
 * Forms, offers of the team and endings, brought by an agent's words: what other tests script through the
 * lab, of any Chat API whose agent knows the words.
 */
import { type Api, errorOf, itemOf } from "./support/api.ts";
import { submissionFor } from "./support/forms.ts";
import { textFile } from "./support/samples.ts";
import type { Chat, Collection, Message } from "./support/shapes.ts";
import { agent, expect, expectError, sandbox, test } from "./support/test.ts";

async function replyTo(api: Api, chatId: string, text: string): Promise<Message> {
  const { reply } = await api.sendMessage(chatId, { text });
  if (reply === null) throw new Error(`there is no reply to "${text}"`);
  return reply;
}

/** Returns the body that accepts the offer that the word brings. */
async function offered(api: Api, chatId: string, word: string) {
  const { handoffOffer } = await replyTo(api, chatId, word);
  const confirmationId = handoffOffer?.confirmationId ?? "no offer";
  return handoffOffer?.requiresEmail ? { confirmationId, email: "ana@example.com" } : { confirmationId };
}

const requiredIn = ({ request }: Collection) =>
  request?.fields.flatMap(({ fieldId, required }) => (required ? fieldId : [])) ?? [];

/** Right answers to the form's required fields. */
function answersTo(collection: Collection): Record<string, string> {
  const asked = requiredIn(collection);
  const right = { text: "A-100", email: "ana@example.com" };
  return Object.fromEntries(
    collection.fields.flatMap(({ id, type, choices }) =>
      asked.includes(id) ? [[id, type === "choice" ? (choices[0]?.id ?? "") : right[type]]] : [],
    ),
  );
}

async function formOf(api: Api, chatId: string): Promise<Collection> {
  await replyTo(api, chatId, "form");
  return api.getCollection(chatId);
}

const saving = (collection: Collection, values: object = answersTo(collection)) => ({
  ...submissionFor(collection),
  action: "save",
  values,
});

test(
  "shows a word's form in the reply and the collection",
  [agent("form"), "resources.collection"],
  async ({ api, chatId }) => {
    const reply = await replyTo(api, chatId, "form");
    const collection = await api.getCollection(chatId);
    expect(reply.collection).toEqual(collection);
    expect(collection.request?.complete).toBe(false);
    expect(collection.missing).toEqual(requiredIn(collection));
    expect(collection.missing.length).toBeGreaterThan(0);
  },
);

test(
  "saves a word's form and increases the version",
  [agent("form"), "states.version"],
  async ({ api, chatId }) => {
    const form = await formOf(api, chatId);
    const saved = await api.submitCollection(chatId, saving(form));
    expect(saved.version).toBeGreaterThan(form.version);
    expect(saved.missing).toEqual([]);
    for (const [fieldId, value] of Object.entries(answersTo(form)))
      expect(saved.values.find((each) => each.fieldId === fieldId)).toMatchObject({
        value,
        status: "accepted",
        actor: "visitor",
      });
  },
);

test(
  "rejects a version before that of a word's form",
  [agent("form"), "states.version"],
  async ({ api, chatId }) => {
    const form = await formOf(api, chatId);
    const json = { ...saving(form), expectedVersion: form.version - 1 };
    const stale = await api.call("submitCollection", { chatId, json });
    // The form may be of version 0.
    expectError(stale, "version_conflict", { api, orLive: ["invalid_request"] });
    expect((await api.getCollection(chatId)).values).toEqual([]);
    await api.submitCollection(chatId, saving(form));
  },
);

test("rejects wrong answers to a word's form", [agent("form"), "submit.answers"], async ({ api, chatId }) => {
  const form = await formOf(api, chatId);
  const choice = form.fields.find(({ type }) => type === "choice");
  const wrong = { ...answersTo(form), [choice?.id ?? "not_asked"]: "not-offered" };
  const response = await api.call("submitCollection", { chatId, json: saving(form, wrong) });
  expectError(response, "invalid_submission");
  const after = await api.getCollection(chatId);
  expect(after.error).toMatch(/\S/);
  expect(after.values).toEqual([]);
});

test(
  "saves a word's form once for repeated submissions",
  [agent("form"), "idempotency.replay", "idempotency.once", "idempotency.conflict"],
  async ({ api, chatId }) => {
    const key = crypto.randomUUID();
    const form = await formOf(api, chatId);
    const json = saving(form);
    const saved = await api.submitCollection(chatId, json, { key });
    expect(await api.submitCollection(chatId, json, { key })).toEqual(saved);
    expect((await api.getCollection(chatId)).version).toBe(saved.version);
    const other = { ...submissionFor(form), action: "save", fieldIds: requiredIn(form) };
    expectError(await api.call("submitCollection", { chatId, json: other, key }), "idempotency_conflict");
  },
);

test(
  "puts the chat into the queue when a word's offer is accepted",
  [agent("offer"), "states.waiting", "states.team", "events.sequence"],
  async ({ api, chatId }) => {
    const chat = await api.handoff(chatId, await offered(api, chatId, "offer"));
    expect(chat).toMatchObject({ mode: "waiting", teammate: null, handoff: { status: "waiting" } });
    const turn = await api.sendMessage(chatId, { text: "I am still here" });
    expect(turn.reply).toBeNull();
    expect(turn.chat.mode).toBe("waiting");
    const stream = await (await api.stream(chatId, { text: "Anyone there?" })).all();
    expect(stream.start.replyId).toBeNull();
    expect(stream.deltas).toBe(0);
    expect(stream.turn.reply).toBeNull();
  },
);

test(
  "accepts a word's offer once, for repeated requests with one key",
  [agent("offer"), "idempotency.replay", "handoff.offer"],
  async ({ api, chatId }) => {
    const json = await offered(api, chatId, "offer");
    const key = crypto.randomUUID();
    const accept = () => api.call("handoff", { chatId, json, key });
    const once = itemOf<Chat>(await accept(), 201);
    expect(itemOf<Chat>(await accept(), 200).handoff).toEqual(once.handoff);
    expectError(await api.call("handoff", { chatId, json }), "confirmation_required");
  },
);

test(
  "accepts only the latest of a word's offers",
  [agent("offer"), "handoff.offer"],
  async ({ api, chatId }) => {
    const stale = await offered(api, chatId, "offer");
    const latest = await offered(api, chatId, "offer");
    expectError(await api.call("handoff", { chatId, json: stale }), "confirmation_required");
    await api.handoff(chatId, latest);
  },
);

test(
  "needs an email address if a word's offer says so",
  [agent("offer email"), "handoff.email"],
  async ({ api, chatId }) => {
    const { confirmationId } = await offered(api, chatId, "offer email");
    const without = await api.call("handoff", { chatId, json: { confirmationId } });
    expectError(without, "invalid_request", { api, at: "/email" });
    const chat = await api.handoff(chatId, { confirmationId, email: "ana@example.com" });
    expect(chat.handoff?.requiresEmail).toBe(true);
  },
);

test(
  "asks for details before it accepts a word's offer",
  [agent("offer form"), "handoff.details"],
  async ({ api, chatId }) => {
    const json = await offered(api, chatId, "offer form");
    const accept = () => api.call("handoff", { chatId, json });
    expectError(await accept(), "collection_incomplete");
    const form = await api.getCollection(chatId);
    expect(form.pendingAction).toBe("handoff");
    expect(form.missing).toEqual(requiredIn(form));
    await api.submitCollection(chatId, saving(form));
    expect(itemOf<Chat>(await accept(), 201).mode).toBe("waiting");
  },
);

test(
  "ends with a question that replaces the streamed text",
  [agent("question"), "events.text"],
  async ({ api, chatId }) => {
    const { text, turn } = await (await api.stream(chatId, { text: "question" })).all();
    expect(turn.reply?.text).toMatch(/\?$/);
    expect(text).not.toContain(turn.reply?.text);
    expect((await api.allMessages(chatId)).at(-1)).toEqual(turn.reply);
  },
);

test(
  "keeps the outcome of an agent that fails",
  [agent("fail"), "errors.outcome"],
  async ({ api, chatId }) => {
    const message = { json: { text: "fail" }, key: crypto.randomUUID() };
    for (let times = 0; times < 2; times += 1) {
      const response = await api.call("sendMessage", { chatId, ...message });
      expect(errorOf(response).code).toBe("operation_interrupted");
    }
    const asked = (await api.allMessages(chatId)).filter(({ role }) => role === "visitor");
    expect(asked).toHaveLength(1);
    expect((await replyTo(api, chatId, "Again, please")).role).toBe("agent");
  },
);

test(
  "closes a chat for every write but replays",
  [agent("close"), "states.resolved"],
  async ({ api, chatId }) => {
    const message = { json: { text: "close" }, key: crypto.randomUUID() };
    const turn = await api.sendMessage(chatId, message.json, message);
    expect(turn.chat.mode).toBe("resolved");
    expect((await api.getChat(chatId)).resolvedAt).not.toBeNull();
    const { version } = await api.getCollection(chatId);
    const submission = { collectionRequestId: null, expectedVersion: version, action: "save" };
    for (const response of [
      await api.call("sendMessage", { chatId, json: { text: "Hello?" } }),
      await api.upload(chatId, textFile("late")),
      await api.call("submitCollection", { chatId, json: submission }),
      await api.call("handoff", { chatId, json: { confirmationId: "unknown-confirmation" } }),
    ])
      expectError(response, "chat_closed");
    expect((await api.call("sendMessage", { chatId, ...message })).status).toBe(200);
  },
);

/** The agent's answer to the text, in a new chat. */
async function answerTo(api: Api, text: string) {
  const { id: chatId } = await api.createChat();
  const { reply, chat } = await api.sendMessage(chatId, { text });
  if (reply === null) throw new Error("there is no reply");
  return { chatId, reply, chat };
}

test("names its words and repeats every other text", [sandbox, "send.turn"], async ({ api }) => {
  const { reply } = await answerTo(api, "help");
  for (const word of ["citations", "products", "orders", "choices", "form", "offer", "fail", "close"])
    expect(reply.text).toContain(word);
  expect((await answerTo(api, "No such word")).reply.text).toBe("Echo: No such word");
});

test("shows as many cards as asked for, up to the limits", [sandbox, "resources.cards"], async ({ api }) => {
  expect((await answerTo(api, "citations")).reply.citations).toHaveLength(2);
  expect((await answerTo(api, "Citations 20 ")).reply.citations).toHaveLength(20);
  expect((await answerTo(api, "products 9")).reply.products).toHaveLength(3);
  expect((await answerTo(api, "orders 99")).reply.orders).toHaveLength(10);
  expect((await answerTo(api, "choices")).reply.choices).toContain("form");
});
