import type { z } from "zod";
import type { Api } from "./support/api.ts";
import { itemOf } from "./support/api.ts";
import { aForm, type Form, field, submissionFor } from "./support/forms.ts";
import { alwaysOpen, closedUntil, type Lab, runningTurn } from "./support/lab.ts";
import { textFile } from "./support/samples.ts";
import { type Chat, HandoffOffer, read } from "./support/shapes.ts";
import { choice, expect, expectError, lab, step, test } from "./support/test.ts";

const invalidBodies: [what: string, json: object, at: string][] = [
  ["no confirmationId", {}, "/confirmationId"],
  ["a confirmationId that is null", { confirmationId: null }, "/confirmationId"],
  ["a confirmationId that is a number", { confirmationId: 1 }, "/confirmationId"],
  ["an empty confirmationId", { confirmationId: "" }, "/confirmationId"],
  ["an email that is null", { confirmationId: "c", email: null }, "/email"],
  ["an email that is a number", { confirmationId: "c", email: 1 }, "/email"],
  ["an email without @", { confirmationId: "c", email: "ana" }, "/email"],
  ["an email without a local part", { confirmationId: "c", email: "@example.com" }, "/email"],
  ["an email without a domain", { confirmationId: "c", email: "ana@" }, "/email"],
  ["an email with a space", { confirmationId: "c", email: "ana brandt@example.com" }, "/email"],
  ["an email with a line break", { confirmationId: "c", email: "a@b.example\nbcc:x@y.example" }, "/email"],
  ["a locale that is no language tag", { confirmationId: "c", locale: "en_US" }, "/locale"],
  ["a locale that is a number", { confirmationId: "c", locale: 1 }, "/locale"],
];

for (const [what, json, at] of invalidBodies) {
  test(
    `rejects a handoff with ${what}`,
    ["handoff.body", "errors.field"],
    async ({ api, sharedChatId: chatId }) => {
      const response = await api.call("handoff", { chatId, json });
      // "When the confirmation is missing or stale, `confirmation_required` is returned", and this one is.
      expectError(response, "invalid_request", { api, at, orLive: ["confirmation_required"] });
    },
  );
}

test(
  "rejects an email of 10 KB at /email",
  [choice, "handoff.body"],
  async ({ api, sharedChatId: chatId }) => {
    const json = { confirmationId: "c", email: `${"a".repeat(10_000)}@example.com` };
    expectError(await api.call("handoff", { chatId, json }), "invalid_request", { api, at: "/email" });
  },
);

test(
  "rejects a confirmationId that no message offered",
  ["handoff.offer"],
  async ({ api, sharedChatId: chatId }) => {
    for (const confirmationId of ["unknown-confirmation", "x", "0123456789abcdef0123456789abcdef"]) {
      const json = { confirmationId, email: "ana@example.com", locale: "de" };
      expectError(await api.call("handoff", { chatId, json }), "confirmation_required");
    }
    expect(await api.getChat(chatId)).toMatchObject({ mode: "agent", handoff: null });
  },
);

type Offer = z.infer<typeof HandoffOffer>;

/** Lets the agent offer the team and returns the offer. */
async function offered(api: Api, lab: Lab, chatId: string, details?: Form): Promise<Offer> {
  await lab.offerHandoff(chatId, details);
  const { reply } = await api.sendMessage(chatId, { text: "May I speak to someone?" });
  return read(HandoffOffer, reply?.handoffOffer, api.exact);
}

/** An offer within the team's hours. */
async function offeredNow(api: Api, lab: Lab, chatId: string, details?: Form): Promise<Offer> {
  await lab.setHours(alwaysOpen);
  return offered(api, lab, chatId, details);
}

test(
  "puts the chat into the queue when an offer is accepted",
  [lab, "states.waiting", "states.team"],
  async ({ api, lab, chatId }) => {
    await lab.setHours(alwaysOpen);
    const offer = await offered(api, lab, chatId);
    expect(offer).toMatchObject({ requiresEmail: false, nextAvailableAt: null });
    const before = await lab.now();
    const chat = await api.handoff(chatId, { confirmationId: offer.confirmationId });
    expect(chat).toMatchObject({
      id: chatId,
      mode: "waiting",
      teammate: null,
      resolvedAt: null,
      handoff: { status: "waiting", requiresEmail: false, nextAvailableAt: null, timezone: offer.timezone },
    });
    expect(Date.parse(chat.handoff?.requestedAt ?? "")).toBeGreaterThanOrEqual(before.getTime());
    expect(await api.getChat(chatId)).toEqual(chat);

    await step("stores messages without a reply while the chat waits", async () => {
      const turn = await api.sendMessage(chatId, { text: "I am still here" });
      expect(turn.reply).toBeNull();
      expect(turn.chat.mode).toBe("waiting");
      expect((await api.allMessages(chatId)).at(-1)).toEqual(turn.message);
    });
  },
);

test(
  "creates one handoff for repeated requests with one key",
  [lab, "idempotency.replay", "idempotency.once"],
  async ({ api, lab, chatId }) => {
    const { confirmationId } = await offeredNow(api, lab, chatId);
    const key = crypto.randomUUID();
    const accept = () => api.call("handoff", { chatId, json: { confirmationId }, key });
    const responses = await Promise.all([accept(), accept(), accept()]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    const chat = itemOf<Chat>(await accept(), 200);
    expect(chat.handoff?.status).toBe("waiting");
    expectError(
      await api.call("handoff", { chatId, json: { confirmationId, locale: "de" }, key }),
      "idempotency_conflict",
    );
  },
);

test("defaults a handoff's locale to en", [lab, "handoff.body"], async ({ api, lab, chatId }) => {
  const { confirmationId } = await offeredNow(api, lab, chatId);
  const key = crypto.randomUUID();
  await api.handoff(chatId, { confirmationId }, { key });
  const again = await api.call("handoff", { chatId, json: { locale: "en", confirmationId }, key });
  expect(again.status).toBe(200);
});

test(
  "accepts only the latest offer of the same chat",
  [lab, "handoff.offer"],
  async ({ api, lab, chatId }) => {
    await lab.setHours(alwaysOpen);
    const stale = await offered(api, lab, chatId);
    const latest = await offered(api, lab, chatId);
    expect(latest.confirmationId).not.toBe(stale.confirmationId);
    const accept = (chat: string, confirmationId: string) =>
      api.call("handoff", { chatId: chat, json: { confirmationId } });
    expectError(await accept(chatId, stale.confirmationId), "confirmation_required");

    const other = await api.createChat();
    expectError(await accept(other.id, latest.confirmationId), "confirmation_required");
    await offered(api, lab, other.id);
    expectError(await accept(other.id, latest.confirmationId), "confirmation_required");

    // "The latest `handoffOffer` is found by listing messages."
    const found = (await api.allMessages(chatId)).findLast(({ handoffOffer }) => handoffOffer !== null);
    expect(found?.handoffOffer).toEqual(latest);
    await api.handoff(chatId, { confirmationId: found?.handoffOffer?.confirmationId });
  },
);

test(
  "offers the return time and requires an email outside the team's hours",
  [lab, "handoff.email", "handoff.availability"],
  async ({ api, lab, chatId }) => {
    const { hours, opensAt } = closedUntil(await lab.now());
    await lab.setHours(hours);
    const offer = await offered(api, lab, chatId);
    expect(offer).toMatchObject({
      requiresEmail: true,
      nextAvailableAt: opensAt.toISOString(),
      timezone: hours.timeZone,
    });
    const { confirmationId } = offer;
    const without = await api.call("handoff", { chatId, json: { confirmationId } });
    expectError(without, "invalid_request", { api, at: "/email" });
    expect((await api.getChat(chatId)).mode).toBe("agent");

    const email = "Ana.Brandt+shop@example.com";
    const chat = await api.handoff(chatId, { confirmationId, email });
    expect(chat.handoff).toMatchObject({
      status: "waiting",
      requiresEmail: true,
      nextAvailableAt: opensAt.toISOString(),
      timezone: hours.timeZone,
    });
  },
);

test(
  "accepts an email address with letters outside ASCII",
  [lab, "handoff.body"],
  async ({ api, lab, freshChat }) => {
    const { hours } = closedUntil(await lab.now());
    await lab.setHours(hours);
    const { confirmationId } = await offered(api, lab, freshChat.id);
    await api.handoff(freshChat.id, { confirmationId, email: "jürgen@müller.example" });
  },
);

test(
  "returns no time zone for a team without hours",
  [lab, "handoff.availability"],
  async ({ api, lab, freshChat }) => {
    await lab.setHours(null);
    const offer = await offered(api, lab, freshChat.id);
    expect(offer.timezone).toBeNull();
    expect(offer.nextAvailableAt).toBeNull();
  },
);

const details = aForm({
  collectionId: "before_we_pass_you_on",
  purpose: "So that the right person answers.",
  fields: [
    { field: field("topic", "choice"), required: true },
    { field: field("order"), required: false },
  ],
});

test(
  "asks for details and completes the repeated handoff",
  [lab, "handoff.details"],
  async ({ api, lab, chatId }) => {
    const { confirmationId } = await offeredNow(api, lab, chatId, details);
    const key = crypto.randomUUID();
    const accept = (acceptKey: string) =>
      api.call("handoff", { chatId, json: { confirmationId }, key: acceptKey });
    expectError(await accept(key), "collection_incomplete");
    expect((await api.getChat(chatId)).mode).toBe("agent");

    const open = await api.getCollection(chatId);
    expect(open.request?.collectionId).toBe(details.collectionId);
    expect(open.missing).toEqual(["topic"]);
    expect(open.pendingAction).toBe("handoff");

    // Another key makes no difference while the details are missing.
    expectError(await accept(crypto.randomUUID()), "collection_incomplete");

    const form = submissionFor(await api.getCollection(chatId));
    const saved = await api.submitCollection(chatId, {
      ...form,
      action: "save",
      values: { topic: "too_big" },
    });
    expect(saved.missing).toEqual([]);
    const chat = itemOf<Chat>(await accept(crypto.randomUUID()), 201);
    expect(chat.mode).toBe("waiting");
    expect((await api.getCollection(chatId)).pendingAction).toBeNull();
    // The first key keeps its stored outcome, so the flow needs a new key.
    expectError(await accept(key), "collection_incomplete");
  },
);

test("does not ask again for known details", [lab, "handoff.details"], async ({ api, lab, chatId }) => {
  await lab.setHours(alwaysOpen);
  await lab.askForForm(chatId, details);
  await api.sendMessage(chatId, { text: "It does not fit" });
  const form = submissionFor(await api.getCollection(chatId));
  await api.submitCollection(chatId, { ...form, action: "save", values: { topic: "too_big" } });
  const { confirmationId } = await offered(api, lab, chatId, details);
  const chat = await api.handoff(chatId, { confirmationId });
  expect(chat.mode).toBe("waiting");
});

test(
  "lets a teammate answer and close the chat",
  [lab, "states.team", "resources.author"],
  async ({ api, lab, chatId }) => {
    const { confirmationId } = await offeredNow(api, lab, chatId);
    await api.handoff(chatId, { confirmationId });

    await lab.claim(chatId, "Zoë 🔧");
    const claimed = await api.getChat(chatId);
    expect(claimed).toMatchObject({
      mode: "teammate",
      teammate: { name: "Zoë 🔧" },
      handoff: { status: "claimed" },
    });

    const text = "Hello, this is Zoë. How can I help?";
    await lab.postMessage(chatId, text);
    const message = (await api.allMessages(chatId)).findLast(({ role }) => role === "teammate");
    expect(message).toMatchObject({ text, author: { name: "Zoë 🔧" } });

    const turn = await api.sendMessage(chatId, { text: "The rim is bent" });
    expect(turn.reply).toBeNull();
    expect(turn.chat.mode).toBe("teammate");

    await lab.resolve(chatId);
    const resolved = await api.getChat(chatId);
    expect(resolved).toMatchObject({ mode: "resolved", teammate: null, handoff: { status: "resolved" } });
    expect(resolved.resolvedAt).not.toBeNull();
    expect(Date.parse(resolved.updatedAt)).toBeGreaterThanOrEqual(Date.parse(resolved.resolvedAt ?? ""));
  },
);

test("serves the reads of a resolved chat", [lab, "states.resolved"], async ({ api, lab, chatId }) => {
  await lab.setHours(alwaysOpen);
  const file = await api.uploadFile(chatId, textFile("kept"));
  await api.sendMessage(chatId, { fileIds: [file.id] });
  await lab.resolve(chatId);
  const before = await api.getChat(chatId);
  const headers = { Accept: "text/event-stream" };
  const refused = await api.call("sendMessage", { chatId, json: { text: "Hello?" }, headers });
  expectError(refused, "chat_closed");
  expect(await api.getChat(chatId)).toEqual(before);
  expect((await api.allMessages(chatId)).length).toBeGreaterThanOrEqual(2);
  expect((await api.call("downloadFile", { chatId, fileId: file.id })).text).toBe("kept");
});

test(
  "lets the agent answer again after the team returns the chat",
  [lab, "states.agent"],
  async ({ api, lab, chatId }) => {
    await lab.claim(chatId, "Priya N.");
    await lab.release(chatId);
    const chat = await api.getChat(chatId);
    expect(chat).toMatchObject({ mode: "agent", teammate: null });
    const { reply } = await api.sendMessage(chatId, { text: "And now?" });
    expect(reply?.role).toBe("agent");
  },
);

test(
  "marks a handoff that did not reach the team as failed",
  [lab, "states.waiting"],
  async ({ api, lab, chatId }) => {
    const { confirmationId } = await offeredNow(api, lab, chatId);
    await api.handoff(chatId, { confirmationId });
    await lab.failHandoff(chatId);
    expect((await api.getChat(chatId)).handoff?.status).toBe("failed");
  },
);

test("rejects a handoff during a turn", [lab, "send.one-turn"], async ({ api, lab, chatId }) => {
  const { confirmationId } = await offeredNow(api, lab, chatId);
  const running = await runningTurn(api, lab, chatId);
  const response = await api.call("handoff", { chatId, json: { confirmationId } });
  expectError(response, "turn_in_progress");
  await running.end();
});

test(
  "ignores or rejects unknown properties of a handoff",
  [choice, "handoff.body"],
  async ({ api, sharedChatId: chatId }) => {
    const json = { confirmationId: "unknown-confirmation", surprise: 1 };
    expectError(await api.call("handoff", { chatId, json }), ["confirmation_required", "invalid_request"]);
  },
);
