import { aCollection } from "#lib/chat-api/testing/builders.ts";
import type { Api } from "./support/api.ts";
import { itemOf } from "./support/api.ts";
import { aForm, type Form, field, rightAnswers, submissionFor } from "./support/forms.ts";
import { type Lab, runningTurn } from "./support/lab.ts";
import type { Collection } from "./support/shapes.ts";
import { limits } from "./support/specification.ts";
import { choice, expect, expectError, lab, test } from "./support/test.ts";

test(
  "starts a chat with an empty collection and no request",
  ["resources.collection"],
  async ({ api, sharedChatId: chatId }) => {
    const { version } = await api.getCollection(chatId);
    expect(await api.getCollection(chatId)).toMatchObject(aCollection({ version }));
  },
);

/** An empty submission, in which each case changes one property. */
const submission = { collectionRequestId: null, expectedVersion: 0, action: "save" } as const;

const invalidBodies: [what: string, json: object, at: string][] = [
  ["no collectionRequestId", { expectedVersion: 0, action: "save" }, "/collectionRequestId"],
  [
    "a collectionRequestId that is a number",
    { ...submission, collectionRequestId: 1 },
    "/collectionRequestId",
  ],
  ["no expectedVersion", { collectionRequestId: null, action: "save" }, "/expectedVersion"],
  ["expectedVersion 1.5", { ...submission, expectedVersion: 1.5 }, "/expectedVersion"],
  ['expectedVersion "1"', { ...submission, expectedVersion: "1" }, "/expectedVersion"],
  ["expectedVersion null", { ...submission, expectedVersion: null }, "/expectedVersion"],
  ["no action", { collectionRequestId: null, expectedVersion: 0 }, "/action"],
  ["an unknown action", { ...submission, action: "delete" }, "/action"],
  ["an action in upper case", { ...submission, action: "SAVE" }, "/action"],
  ["an action that is null", { ...submission, action: null }, "/action"],
  ["values that are a list", { ...submission, values: [] }, "/values"],
  ["values that are a string", { ...submission, values: "a" }, "/values"],
  ["an answer that is a number", { ...submission, values: { a: 1 } }, "/values/a"],
  ["an answer that is null", { ...submission, values: { a: null } }, "/values/a"],
  ["an answer that is a list", { ...submission, values: { a: ["b"] } }, "/values/a"],
  ["an answer of 2,001 units", { ...submission, values: { a: "b".repeat(2_001) } }, "/values/a"],
  ["an answer of 1,001 emoji", { ...submission, values: { a: "🚲".repeat(1_001) } }, "/values/a"],
  ["U+0000 in an answer", { ...submission, values: { a: "\u0000" } }, "/values/a"],
  ["half a character in an answer", { ...submission, values: { a: "\ud800" } }, "/values/a"],
  ["21 answers", { ...submission, values: many(21, () => "x") }, "/values"],
  ["fieldIds that is a string", { ...submission, fieldIds: "a" }, "/fieldIds"],
  ["fieldIds with a number", { ...submission, fieldIds: [1] }, "/fieldIds/0"],
  ["21 fieldIds", { ...submission, fieldIds: Object.keys(many(21, () => "")) }, "/fieldIds"],
];

function many<T>(count: number, value: (n: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n + 1}`, value(n)]));
}

/** The chat has no form, and the version may be stale. Answers may also be rejected as a submission. */
const otherRefusals = ["invalid_submission", "version_conflict"] as const;

for (const [what, json, at] of invalidBodies) {
  test(
    `rejects a submission with ${what}`,
    ["submit.body", "errors.field"],
    async ({ api, sharedChatId: chatId }) => {
      const response = await api.call("submitCollection", { chatId, json });
      expectError(response, "invalid_request", { api, at, orLive: otherRefusals });
    },
  );
}

test("rejects a malformed field ID", ["submit.body"], async ({ api, sharedChatId: chatId }) => {
  for (const id of ["", "a b", "a.b", "a/b", "é", "f".repeat(129)]) {
    for (const json of [
      { ...submission, values: { [id]: "x" } },
      { ...submission, fieldIds: [id] },
    ]) {
      const response = await api.call("submitCollection", { chatId, json });
      expectError(response, ["invalid_request", "invalid_submission"], { api, orLive: otherRefusals });
    }
  }
});

test("rejects a version that never existed", ["states.version"], async ({ api, sharedChatId: chatId }) => {
  const { version } = await api.getCollection(chatId);
  const json = { ...submission, expectedVersion: version + 1_000 };
  const response = await api.call("submitCollection", { chatId, json });
  expectError(response, ["version_conflict", "invalid_submission"]);
});

test(
  "rejects skip and cancel without a form",
  [choice, "submit.actions"],
  async ({ api, sharedChatId: chatId }) => {
    const { version } = await api.getCollection(chatId);
    for (const action of ["skip", "cancel"]) {
      const json = { collectionRequestId: null, expectedVersion: version, action };
      expectError(await api.call("submitCollection", { chatId, json }), "invalid_submission");
    }
  },
);

function formOf(ids: readonly string[], required: boolean): Form {
  return aForm({ fields: ids.map((id) => ({ field: field(id), required })) });
}

/** Lets the agent ask for the form and returns the collection. */
async function ask(api: Api, lab: Lab, chatId: string, form: Form = aForm()): Promise<Collection> {
  await lab.askForForm(chatId, form);
  await api.sendMessage(chatId, { text: "I have a question about an order" });
  return api.getCollection(chatId);
}

test(
  "shows the same form in the message and the collection",
  [lab, "resources.collection"],
  async ({ api, lab, chatId }) => {
    const form = aForm();
    await lab.askForForm(chatId, form);
    const { reply } = await api.sendMessage(chatId, { text: "Where is my order?" });
    const collection = await api.getCollection(chatId);
    expect(reply?.collection).toEqual(collection);
    expect(collection.request).toMatchObject({
      collectionId: form.collectionId,
      purpose: form.purpose,
      fields: form.fields.map(({ field: { id }, required }) => ({ fieldId: id, required })),
      complete: false,
      canSkip: false,
      canCancel: true,
    });
    for (const { field: each } of form.fields)
      expect(collection.fields.find(({ id }) => id === each.id)).toEqual(each);
    expect(collection.missing).toEqual(["reference", "email"]);
    expect(collection.values).toEqual([]);
    expect(collection.pendingAction).toBeNull();
    expect(collection.error).toBeNull();
  },
);

test(
  "accepts saved answers and increases the version",
  [lab, "states.version", "resources.collection"],
  async ({ api, lab, chatId }) => {
    const before = await ask(api, lab, chatId);
    const values = { ...rightAnswers, reason: "too-small", notes: "  As it is.\n🚲" };
    const saved = await api.submitCollection(chatId, saving(before, values));
    expect(saved.version).toBeGreaterThan(before.version);
    expect(saved.missing).toEqual([]);
    expect(saved.error).toBeNull();
    if (saved.request !== null) expect(saved.request.complete).toBe(true);
    for (const [fieldId, value] of Object.entries(values)) {
      const stored = saved.values.find((each) => each.fieldId === fieldId);
      expect(stored).toMatchObject({ value, status: "accepted", actor: "visitor" });
    }
    expect(await api.getCollection(chatId)).toEqual(saved);
    // "Every field the chat's answers refer to."
    const known = saved.fields.map(({ id }) => id);
    for (const { fieldId } of saved.values) expect(known).toContain(fieldId);
  },
);

test(
  "accepts optional fields left out or listed as skipped",
  [lab, "submit.actions", "resources.collection"],
  async ({ api, lab, freshChat }) => {
    const before = await ask(api, lab, freshChat.id);
    const saved = await api.submitCollection(freshChat.id, {
      ...submissionFor(before),
      action: "save",
      values: rightAnswers,
      fieldIds: ["notes"],
    });
    expect(saved.missing).toEqual([]);
    const notes = saved.values.find(({ fieldId }) => fieldId === "notes");
    // "Only `accepted` is an answer."
    expect(notes?.status).not.toBe("accepted");
    expect(notes?.value ?? null).toBeNull();
  },
);

/** A submission that saves these answers. */
const saving = (collection: Collection, values: object = rightAnswers) => ({
  ...submissionFor(collection),
  action: "save",
  values,
});

const rejected: [what: string, submitted: object][] = [
  ["an email address without a domain", { values: { ...rightAnswers, email: "ana@" } }],
  ["an email address with a line break", { values: { ...rightAnswers, email: "a@b.example\nbcc:x@y.z" } }],
  ["a choice that was not offered", { values: { ...rightAnswers, reason: "other" } }],
  ["a choice's label in place of its ID", { values: { ...rightAnswers, reason: "Too big" } }],
  ["a field that was not asked for", { values: { ...rightAnswers, shoe_size: "43" } }],
  ["a required field skipped", { values: { email: "ana@example.com" }, fieldIds: ["reference"] }],
  ["a field both answered and skipped", { values: { ...rightAnswers, notes: "x" }, fieldIds: ["notes"] }],
  ["a skipped field that was not asked for", { values: rightAnswers, fieldIds: ["shoe_size"] }],
];

for (const [what, submitted] of rejected) {
  test(
    `rejects answers with ${what} with a reason and accepts a correction`,
    [lab, "submit.answers"],
    async ({ api, lab, chatId }) => {
      const before = await ask(api, lab, chatId);
      const response = await api.call("submitCollection", {
        chatId,
        json: { ...submissionFor(before), action: "save", ...submitted },
      });
      expectError(response, "invalid_submission");
      // "Read the collection, fix the answers, submit again."
      const after = await api.getCollection(chatId);
      expect(after.error).toMatch(/\S/);
      expect(after.request?.id).toBe(before.request?.id);
      expect(after.values).toEqual([]);
      const saved = await api.submitCollection(chatId, saving(after));
      expect(saved.error).toBeNull();
      expect(saved.version).toBeGreaterThan(before.version);
    },
  );
}

test(
  "rejects a save without required answers or lists them as missing",
  [lab, "submit.answers", "resources.collection"],
  async ({ api, lab, chatId }) => {
    const before = await ask(api, lab, chatId);
    const json = saving(before, { reference: "TT-1" });
    const response = await api.call("submitCollection", { chatId, json });
    const after = await api.getCollection(chatId);
    // The specification allows both: `missing` and `complete` describe a partly answered form.
    if (response.status === 200) {
      expect(after.version).toBeGreaterThan(before.version);
      expect(after.missing).toEqual(["email"]);
      expect(after.request?.complete).toBe(false);
    } else {
      expectError(response, "invalid_submission");
      expect(after.error).toMatch(/\S/);
      expect(after.missing).toEqual(["reference", "email"]);
    }
  },
);

for (const [action, verb, option] of [
  ["skip", "skips", "canSkip"],
  ["cancel", "cancels", "canCancel"],
] as const) {
  test(`${verb} a form only if the form allows it`, [lab, "submit.actions"], async ({ api, lab, chatId }) => {
    const strict = await ask(api, lab, chatId, aForm({ [option]: false }));
    const json = { ...submissionFor(strict), action };
    expectError(await api.call("submitCollection", { chatId, json }), "invalid_submission");
    const lenient = await ask(api, lab, chatId, aForm({ [option]: true }));
    expect(lenient.request?.[option]).toBe(true);
    const left = await api.submitCollection(chatId, { ...submissionFor(lenient), action });
    expect(left).toMatchObject({ request: null, missing: [] });
    expect(left.values.filter(({ status }) => status === "accepted")).toEqual([]);
  });
}

test(
  "rejects a stale version and accepts the answers with the new one",
  [lab, "states.version"],
  async ({ api, lab, chatId }) => {
    const first = await ask(api, lab, chatId);
    await api.submitCollection(chatId, saving(first));
    const second = await ask(api, lab, chatId, aForm({ collectionId: "workshop", purpose: "To book." }));
    const json = {
      collectionRequestId: second.request?.id,
      action: "save",
      values: { ...rightAnswers, reference: "TT-2" },
    };
    for (const expectedVersion of [first.version, second.version + 1, 2 ** 53 - 1]) {
      expectError(
        await api.call("submitCollection", { chatId, json: { ...json, expectedVersion } }),
        "version_conflict",
      );
    }
    expect(await api.getCollection(chatId)).toEqual(second);
    const saved = await api.submitCollection(chatId, { ...json, expectedVersion: second.version });
    expect(saved.version).toBeGreaterThan(second.version);
  },
);

test(
  "saves only one of several concurrent submissions",
  [lab, "states.version"],
  async ({ api, lab, chatId }) => {
    const before = await ask(api, lab, chatId);
    const submit = (reference: string) =>
      api.call("submitCollection", {
        chatId,
        json: saving(before, { ...rightAnswers, reference }),
      });
    const responses = await Promise.all([submit("TT-1"), submit("TT-2"), submit("TT-3")]);
    const saved = responses.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).item);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectError(response, ["version_conflict", "turn_in_progress", "invalid_submission"]);
    }
    expect(saved).toMatchObject([{ values: (await api.getCollection(chatId)).values }]);
  },
);

test(
  "rejects a submission for another request or for none",
  [lab, "submit.answers"],
  async ({ api, lab, chatId }) => {
    const first = await ask(api, lab, chatId);
    const second = await ask(api, lab, chatId, aForm({ collectionId: "workshop" }));
    for (const collectionRequestId of [null, "unknown-request", first.request?.id]) {
      if (collectionRequestId === second.request?.id) continue;
      const json = {
        collectionRequestId,
        expectedVersion: second.version,
        action: "save",
        values: rightAnswers,
      };
      expectError(await api.call("submitCollection", { chatId, json }), [
        "invalid_submission",
        "version_conflict",
      ]);
    }
  },
);

test(
  "saves 20 answers of 2,000 units, which exceed 32 KiB",
  [lab, "submit.body", "bodies.size"],
  async ({ api, lab, chatId }) => {
    const ids = Object.keys(many(limits.answers, () => ""));
    const before = await ask(api, lab, chatId, formOf(ids, true));
    const answer = `${"€".repeat(limits.answerLength - 2)}🚲`;
    expect(answer).toHaveLength(limits.answerLength);
    const values = many(limits.answers, () => answer);
    const saved = await api.submitCollection(chatId, saving(before, values));
    expect(saved.values.map(({ value }) => value)).toEqual(ids.map(() => answer));
  },
);

test(
  "skips 20 optional fields at once",
  [lab, "submit.body", "submit.actions"],
  async ({ api, lab, chatId }) => {
    const ids = Object.keys(many(limits.skippedFields, () => ""));
    const before = await ask(api, lab, chatId, formOf(ids, false));
    expect(before.missing).toEqual([]);
    expect(before.request?.complete).toBe(true);
    const saved = await api.submitCollection(chatId, {
      ...submissionFor(before),
      action: "save",
      fieldIds: ids,
    });
    expect(saved.values.filter(({ status }) => status === "accepted")).toEqual([]);
  },
);

test(
  "accepts fields named __proto__, constructor and toString",
  [lab, "resources.collection"],
  async ({ api, lab, chatId }) => {
    const ids = ["__proto__", "constructor", "toString"];
    const before = await ask(api, lab, chatId, formOf(ids, true));
    expect(before.missing).toEqual(ids);
    const { collectionRequestId, expectedVersion } = submissionFor(before);
    const response = await api.call("submitCollection", {
      chatId,
      body: `{"collectionRequestId":${JSON.stringify(collectionRequestId)},"expectedVersion":${expectedVersion},"action":"save","values":{"__proto__":"a","constructor":"b","toString":"c"}}`,
      headers: { "Content-Type": "application/json" },
    });
    const saved = itemOf<Collection>(response, 200);
    expect(saved.values.map(({ fieldId, value }) => [fieldId, value])).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
      ["toString", "c"],
    ]);
  },
);

test(
  "keeps the answers of an earlier form beside those of a later one",
  [lab, "resources.collection"],
  async ({ api, lab, chatId }) => {
    const first = await ask(api, lab, chatId);
    await api.submitCollection(chatId, saving(first));
    const second = await ask(
      api,
      lab,
      chatId,
      aForm({ collectionId: "workshop", fields: [{ field: field("day"), required: true }] }),
    );
    expect(second.missing).toEqual(["day"]);
    const saved = await api.submitCollection(chatId, saving(second, { day: "Friday" }));
    expect(saved.values.map(({ fieldId }) => fieldId).toSorted()).toEqual(["day", "email", "reference"]);
  },
);

test(
  "rejects a submission during a turn and accepts it afterwards",
  [lab, "send.one-turn"],
  async ({ api, lab, chatId }) => {
    const before = await ask(api, lab, chatId);
    const running = await runningTurn(api, lab, chatId);
    const json = saving(before);
    const key = crypto.randomUUID();
    expectError(await api.call("submitCollection", { chatId, json, key }), "turn_in_progress");
    await running.end();
    await api.submitCollection(chatId, json, { key });
  },
);

test(
  "increases the version on a teammate's correction and rejects older answers",
  [lab, "states.version"],
  async ({ api, lab, chatId }) => {
    const first = await ask(api, lab, chatId);
    const saved = await api.submitCollection(chatId, saving(first));
    const before = await ask(api, lab, chatId, aForm({ collectionId: "workshop" }));
    expect(before.version).toBeGreaterThanOrEqual(saved.version);
    await lab.editDetails(chatId, [{ fieldId: "reference", value: "TT-9", status: "accepted" }]);
    const json = saving(before);
    expectError(await api.call("submitCollection", { chatId, json }), "version_conflict");
    const after = await api.getCollection(chatId);
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.values.find(({ fieldId }) => fieldId === "reference")).toMatchObject({
      value: "TT-9",
      status: "accepted",
      actor: "teammate",
    });
  },
);

test(
  "returns values of every status, and the collection's error",
  [lab, "resources.collection"],
  async ({ api, lab }) => {
    const values = [
      { fieldId: "address", value: "1 Old Road", status: "disputed", actor: "visitor" },
      { fieldId: "size", value: null, status: "unknown", actor: "teammate" },
      { fieldId: "colour", value: null, status: "declined", actor: "visitor" },
      { fieldId: "name", value: "Ana", status: "accepted", actor: "teammate" },
    ] as const;
    const { id: chatId } = await lab.importChat({
      userId: "somebody",
      collection: { fields: values.map(({ fieldId }) => field(fieldId)), values, error: "Not saved." },
    });
    const collection = await api.getCollection(chatId);
    expect(collection.values).toMatchObject(values);
    expect(collection).toMatchObject({ request: null, error: "Not saved." });
  },
);
