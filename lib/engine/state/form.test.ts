import { expect, test } from "vitest";
import type { Collection, CollectionValue, Field } from "../../chat-api/collection.ts";
import * as contract from "../../chat-api/testing/builders.ts";
import { aCollection, aRequest } from "../testing/builders.ts";
import {
  answerProblem,
  answerText,
  changedMeanwhile,
  type FormEntry,
  formEntries,
  isAnsweredSince,
  newestChange,
  notAccepted,
  parseTyped,
  prefilled,
  saveBody,
  type TypedAnswers,
} from "./form.ts";

const nothing: TypedAnswers = new Map();
const typeAnswer = (typed: TypedAnswers, { field }: FormEntry, text: string): TypedAnswers =>
  new Map(typed).set(field.id, text);

const aField = (id: string, overrides: Partial<Field> = {}) => contract.aField({ id, ...overrides });

function aValue(
  fieldId: string,
  value: string | null,
  overrides: Partial<CollectionValue> = {},
): CollectionValue {
  const updatedAt = "2026-06-02T09:00:00.000Z";
  return { fieldId, value, status: "accepted", actor: "visitor", updatedAt, ...overrides };
}

function aForm(fields: Field[], overrides: Partial<Collection> = {}, required = true): Collection {
  return aCollection({
    fields,
    request: aRequest({
      collectionId: "find-my-order",
      purpose: "To find your order.",
      fields: fields.map(({ id }) => ({ fieldId: id, required })),
      canCancel: true,
    }),
    ...overrides,
  });
}

/** The one entry of a form with one field. */
function onlyEntry(collection: Collection) {
  const [entry] = formEntries(collection);
  if (entry === undefined) throw new Error("the form has no field");
  return entry;
}

test("shows the requested fields in the requested order", () => {
  const form = aForm([aField("b"), aField("a")]);
  const withMore = { ...form, fields: [aField("z"), aField("a"), aField("b")] };
  expect(formEntries(withMore).map(({ field }) => field.id)).toEqual(["b", "a"]);
  expect(formEntries(aCollection({ fields: [aField("a")] }))).toEqual([]);
  expect(formEntries({ ...form, fields: [aField("a")] }).map(({ field }) => field.id)).toEqual(["a"]);
});

test("fills a field with an accepted answer only", () => {
  const shown = (status: CollectionValue["status"]) =>
    answerText(onlyEntry(aForm([aField("size")], { values: [aValue("size", "54", { status })] })), nothing);
  expect(shown("accepted")).toBe("54");
  expect(shown("disputed")).toBe("");
  expect(shown("declined")).toBe("");
  expect(shown("unknown")).toBe("");
});

test("counts only the customer's answers since the form was requested", () => {
  const askedAt = "2026-06-02T09:00:00.000Z";
  const isAnswered = (value: CollectionValue, since: string | null = askedAt) =>
    isAnsweredSince(formEntries(aForm([aField("size"), aField("day")], { values: [value] })), since);
  expect(isAnswered(aValue("size", "52"))).toBe(true);
  expect(isAnswered(aValue("size", null, { status: "declined" }))).toBe(true);
  expect(isAnswered(aValue("size", "52", { updatedAt: "2026-06-02T08:59:59.999Z" }))).toBe(false);
  expect(isAnswered(aValue("size", "52", { actor: "teammate" }))).toBe(false);
  expect(isAnswered(aValue("colour", "red"))).toBe(false);
  expect(isAnswered(aValue("size", "52"), null)).toBe(false);
});

test("keeps answers under field IDs such as __proto__", () => {
  const form = aForm([aField("__proto__"), aField("constructor")]);
  let typed = nothing;
  for (const entry of formEntries(form)) typed = typeAnswer(typed, entry, `answer of ${entry.field.id}`);
  const restored = parseTyped(JSON.parse(JSON.stringify([...typed])));
  expect([...(saveBody(form, formEntries(form), restored).values ?? [])]).toEqual([
    ["__proto__", "answer of __proto__"],
    ["constructor", "answer of constructor"],
  ]);
});

test("finds invalid answers before sending", () => {
  const email = onlyEntry(aForm([aField("email", { type: "email" })]));
  expect(answerProblem(email, "")).toBe("missing");
  expect(answerProblem(email, "ana@")).toBe("invalid_email");
  expect(answerProblem(email, " ana@example.com ")).toBeNull();
  const choice = onlyEntry(
    aForm([aField("reason", { type: "choice", choices: [{ id: "too_big", label: "Too big" }] })]),
  );
  expect(answerProblem(choice, "Too big")).toBe("not_offered");
  expect(answerProblem(choice, "too_big")).toBeNull();
  const note = onlyEntry(aForm([aField("note")], {}, false));
  expect(answerProblem(note, "")).toBeNull();
  expect(answerProblem(note, "🚲".repeat(1_000))).toBeNull();
  expect(answerProblem(note, "🚲".repeat(1_001))).toBe("too_long");
  expect(answerProblem(note, "\u0000x")).toBe("not_storable");
});

test("names the optional fields that were left empty", () => {
  const form = aForm(
    [aField("item"), aField("note")],
    { version: 4, values: [aValue("item", "Fell 2")] },
    false,
  );
  const entries = formEntries(form);
  expect(saveBody(form, entries, nothing)).toEqual({
    collectionRequestId: "request-1",
    expectedVersion: 4,
    action: "save",
    values: new Map(),
    fieldIds: ["note"],
  });
});

test("names at most as many skipped fields as a submission allows", () => {
  const form = aForm(
    Array.from({ length: 25 }, (_, index) => aField(`q${index}`)),
    {},
    false,
  );
  expect(saveBody(form, formEntries(form), nothing).fieldIds).toHaveLength(20);
});

test("trims email addresses and sends other answers unchanged", () => {
  const form = aForm([aField("email", { type: "email" }), aField("note")]);
  const typed = formEntries(form).reduce(
    (answers, entry) => typeAnswer(answers, entry, ` ${entry.field.id}@example.com `),
    nothing,
  );
  expect([...(saveBody(form, formEntries(form), typed).values ?? [])]).toEqual([
    ["email", "email@example.com"],
    ["note", " note@example.com "],
  ]);
});

test("accepts a disputed answer once the customer gives it again", () => {
  const form = aForm([aField("size")], { values: [aValue("size", "52 cm", { status: "disputed" })] });
  expect(answerProblem(onlyEntry(form), answerText(onlyEntry(form), nothing))).toBe("missing");
  const typed = typeAnswer(nothing, onlyEntry(form), "52 cm");
  expect(saveBody(form, formEntries(form), typed).values).toEqual(new Map([["size", "52 cm"]]));
});

test("sends the answers again when a complete form is saved unchanged", () => {
  const form = aForm([aField("size"), aField("day")], {
    values: [aValue("size", "52 cm"), aValue("day", "Monday")],
  });
  const body = saveBody(form, formEntries(form), nothing);
  expect(body.values).toEqual(
    new Map([
      ["size", "52 cm"],
      ["day", "Monday"],
    ]),
  );
  const typed = typeAnswer(nothing, formEntries(form)[1] ?? onlyEntry(form), "Friday");
  expect(saveBody(form, formEntries(form), typed).values).toEqual(new Map([["day", "Friday"]]));
});

test("tells the customer about another answer that was stored after they began to type", () => {
  const before = aForm([aField("day")], { values: [aValue("day", "Monday")] });
  const typed = typeAnswer(nothing, onlyEntry(before), "Tuesday");
  const noteOn = (value: Partial<CollectionValue>, text = typed) => {
    const values = [aValue("day", "Friday", { updatedAt: "2026-06-02T09:00:01.000Z", ...value })];
    const entry = onlyEntry(aForm([aField("day")], { version: 2, values }));
    return changedMeanwhile(entry, text, newestChange(before))?.value ?? null;
  };
  expect(changedMeanwhile(onlyEntry(before), typed, newestChange(before))).toBeNull();
  expect(noteOn({ actor: "teammate" })).toBe("Friday");
  expect(noteOn({ value: "Tuesday" })).toBeNull();
  expect(noteOn({}, nothing)).toBeNull();
  // Values that are not accepted have their own note (`statusNote`).
  expect(noteOn({ status: "disputed" })).toBeNull();
});

test("drops malformed typed answers from storage", () => {
  expect(parseTyped([["a", { text: 7 }], ["b"], 7, [7, "x"]]).size).toBe(0);
  expect(parseTyped({}).size).toBe(0);
  expect(parseTyped(null).size).toBe(0);
});

test("prefills a known email address unless one is stored", () => {
  const fields = [aField("name"), aField("email", { type: "email" }), aField("other", { type: "email" })];
  const entries = formEntries(aForm(fields, { values: [aValue("other", "stored@example.com")] }));
  const typed = prefilled(entries, "maya@example.com");
  expect(entries.map((entry) => answerText(entry, typed))).toEqual([
    "",
    "maya@example.com",
    "stored@example.com",
  ]);
  expect(prefilled(entries, null).size).toBe(0);
});

test("splits a long submission and sends required answers last", () => {
  const fields = Array.from({ length: 23 }, (_, index) => aField(`q${index}`));
  const form = aForm(fields, {
    request: aRequest({
      collectionId: "fitting",
      purpose: "For the fitting.",
      fields: fields.map(({ id }, index) => ({ fieldId: id, required: index < 2 })),
      canCancel: true,
    }),
  });
  const typed = formEntries(form).reduce(
    (answers, entry) => typeAnswer(answers, entry, `answer to ${entry.field.id}`),
    nothing,
  );
  const first = saveBody(form, formEntries(form), typed);
  expect(first.values?.size).toBe(20);
  expect(first.values?.has("q0")).toBe(false);

  const values = [...(first.values ?? [])].map(([id, value]) => aValue(id, value));
  const afterwards = { ...form, version: 2, values };
  expect([...(saveBody(afterwards, formEntries(afterwards), typed).values?.keys() ?? [])]).toEqual([
    "q22",
    "q0",
    "q1",
  ]);
  expect([...notAccepted(typed, formEntries(afterwards)).keys()]).toEqual(["q0", "q1", "q22"]);
});
