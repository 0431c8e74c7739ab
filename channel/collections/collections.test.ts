import fc from "fast-check";
import { expect, test } from "vitest";
import { Collection, type Field } from "#lib/chat-api/collection.ts";
import { SubmitCollectionBody } from "#lib/chat-api/operations/submit-collection.ts";
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import { aField } from "#lib/chat-api/testing/builders.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { CollectionState } from "../db/schema.ts";
import { emptyCollection, missingDetails, openForm, readCollection } from "./collection-state.ts";
import { editAsTeammate, type SubmissionOutcome, submit } from "./submission.ts";

const now = "2026-11-20T10:00:00.000Z";
const later = "2026-11-20T10:05:00.000Z";

const fields = {
  reference: aField({ id: "reference", label: "Order number" }),
  email: aField({ id: "email", label: "Email", type: "email" }),
  topic: aField({
    id: "topic",
    label: "Topic",
    type: "choice",
    choices: [
      { id: "t1", label: "A repair" },
      { id: "t2", label: "An order" },
    ],
  }),
  note: aField({ id: "note", label: "Note" }),
} satisfies Record<string, Field>;

const form: FormRequest = {
  collectionId: "find-order",
  purpose: "To find your order",
  fields: [
    { field: fields.reference, required: true },
    { field: fields.email, required: true },
    { field: fields.topic, required: false },
    { field: fields.note, required: false },
  ],
  canSkip: false,
  canCancel: true,
};
const optionalForm: FormRequest = {
  ...form,
  collectionId: "feedback",
  fields: [
    { field: fields.topic, required: false },
    { field: fields.note, required: false },
  ],
  canSkip: true,
};

const asked = openForm(emptyCollection, form, { requestId: "request-1" });
const answers = { reference: "TT-100482", email: "ana@example.com" };

test("known answers complete a form unless its field definition has changed", () => {
  const saved = accepted(save(asked, { values: { ...answers, topic: "t2" } })).state;
  expect(readCollection(openForm(saved, form, { requestId: "request-2" })).request?.complete).toBe(true);
  const topic = { ...fields.topic, choices: [{ id: "t9", label: "Something new" }] };
  const changed = openForm(
    saved,
    { ...form, fields: [{ field: topic, required: true }] },
    { requestId: "request-3" },
  );
  expect(readCollection(changed)).toMatchObject({ missing: ["topic"], request: { complete: false } });
  expect(changed.values).toContainEqual(expect.objectContaining({ fieldId: "topic", status: "unknown" }));
});

test("accepts corrections of existing answers while no form is open", () => {
  const saved = accepted(save(asked, { values: answers })).state;
  const { state } = accepted(save(saved, { values: { email: "ben@example.com" } }, later));
  expect(state.values).toContainEqual({
    fieldId: "email",
    value: "ben@example.com",
    status: "accepted",
    actor: "visitor",
    updatedAt: later,
  });
  expect(refused(save(saved, { values: { email: "nobody" } })).error.field).toBe("/values/email");
});

test("skipped details are not asked for again", () => {
  const skippable: FormRequest = { ...form, canSkip: true };
  const open = openForm(emptyCollection, skippable, { requestId: "request-1", pendingAction: "handoff" });
  const { state } = accepted(save(open, { action: "skip" }));
  expect(state.pendingAction).toBe("handoff");
  expect(missingDetails(state, skippable)).toEqual([]);
});

test("disputed and unknown answers are asked for again, even in a skippable form", () => {
  const skippable: FormRequest = { ...form, canSkip: true };
  const open = openForm(emptyCollection, skippable, { requestId: "request-1", pendingAction: "handoff" });
  const saved = accepted(save(open, { values: answers })).state;
  for (const status of ["disputed", "unknown"] as const) {
    const edited = editAsTeammate(saved, [{ fieldId: "reference", value: "TT-100482", status }], later);
    expect(missingDetails(edited, skippable)).toEqual(["reference"]);
  }
});

test.each([
  { fieldId: "colour", value: "red", status: "accepted" as const },
  { fieldId: "email", value: "nobody", status: "accepted" as const },
  { fieldId: "email", value: null, status: "accepted" as const },
])("rejects an invalid edit by a teammate (%#)", (edit) => {
  expect(() => editAsTeammate(asked, [edit], later)).toThrowError(
    expect.objectContaining({ code: "invalid_request", field: "/values/0" }),
  );
});

test("any submissions keep version, error, values and missing fields consistent", () => {
  const arbitraryAnswer = fc.constantFrom("", " ", "t1", "t2", "ana@example.com", "text");
  const arbitrarySubmission = fc.record({
    action: fc.constantFrom("save", "skip", "cancel"),
    values: fc.dictionary(fc.constantFrom("reference", "email", "topic", "note", "colour"), arbitraryAnswer),
    fieldIds: fc.uniqueArray(fc.constantFrom("topic", "note", "reference")),
    next: fc.constantFrom(undefined, form, optionalForm),
  });
  fc.assert(
    fc.property(fc.array(arbitrarySubmission, { maxLength: 8 }), (submissions) => {
      let state = asked;
      for (const { next, ...changes } of submissions) {
        const outcome = save(state, changes);
        expect(outcome.state.version).toBe(state.version + (outcome.kind === "accepted" ? 1 : 0));
        expect(outcome.state.error === null).toBe(outcome.kind === "accepted");
        if (outcome.kind === "refused") expect(outcome.state.values).toEqual(state.values);
        state = outcome.state;
        if (next !== undefined) state = openForm(state, next, { requestId: "request-n" });
        const read = readCollection(state);
        expect(Collection.parse(read)).toEqual(read);
        expect(read.request?.complete ?? true).toBe(read.missing.length === 0);
        for (const value of read.values) expect(value.status === "accepted").toBe(value.value !== null);
        for (const value of read.values)
          expect(read.fields.map((field) => field.id)).toContain(value.fieldId);
      }
    }),
  );
});

function saveOf(state: CollectionState): object {
  return { collectionRequestId: state.request?.id ?? null, expectedVersion: state.version, action: "save" };
}

function body(value: object): SubmitCollectionBody {
  return parseRequest(SubmitCollectionBody, value);
}

/** Submits a save of the state that the customer has read, with the given changes. */
function save(state: CollectionState, changes: object, at = now): SubmissionOutcome {
  return submit(state, body({ ...saveOf(state), ...changes }), at);
}

function accepted(outcome: SubmissionOutcome) {
  if (outcome.kind !== "accepted") throw outcome.error;
  return outcome;
}

function refused(outcome: SubmissionOutcome) {
  if (outcome.kind !== "refused") throw new Error("The submission was accepted.");
  return outcome;
}
