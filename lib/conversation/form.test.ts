import { expect, test } from "vitest";
import type { Collection, CollectionValue, Field } from "#lib/chat-api/collection.ts";
import {
  answerFault,
  answerText,
  changedMeanwhile,
  encodeTyped,
  formEntries,
  keepTyped,
  parseTyped,
  prefilled,
  saveBody,
  stillTyped,
  type TypedAnswers,
  typeAnswer,
} from "./form.ts";
import { aCollection } from "./testing/builders.ts";

const nothing: TypedAnswers = new Map();

function aField(id: string, overrides: Partial<Field> = {}): Field {
  return { id, label: id, description: "", type: "text", choices: [], ...overrides };
}

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
    request: {
      id: "request-1",
      collectionId: "find-my-order",
      purpose: "To find your order.",
      fields: fields.map(({ id }) => ({ fieldId: id, required })),
      complete: false,
      canSkip: false,
      canCancel: true,
    },
    ...overrides,
  });
}

/** The one entry of a form with one field. */
function onlyEntry(collection: Collection) {
  const [entry] = formEntries(collection);
  if (entry === undefined) throw new Error("the form has no field");
  return entry;
}

test("a form asks for its own fields, in its own order", () => {
  const form = aForm([aField("b"), aField("a")]);
  const withMore = { ...form, fields: [aField("z"), aField("a"), aField("b")] };
  expect(formEntries(withMore).map(({ field }) => field.id)).toEqual(["b", "a"]);
  expect(formEntries(aCollection({ fields: [aField("a")] }))).toEqual([]);
});

test("only an accepted answer fills its field; a disputed one is there to be mended", () => {
  const shown = (status: CollectionValue["status"]) =>
    answerText(onlyEntry(aForm([aField("size")], { values: [aValue("size", "54", { status })] })), nothing);
  expect(shown("accepted")).toBe("54");
  expect(shown("disputed")).toBe("54");
  expect(shown("declined")).toBe("");
  expect(shown("unknown")).toBe("");
});

test("field IDs that are names of JavaScript's own keep their answers", () => {
  const form = aForm([aField("__proto__"), aField("constructor")]);
  let typed = nothing;
  for (const entry of formEntries(form)) typed = typeAnswer(typed, entry, `answer of ${entry.field.id}`);
  const restored = parseTyped(encodeTyped(typed));
  expect([...(saveBody(form, formEntries(form), restored).values ?? [])]).toEqual([
    ["__proto__", "answer of __proto__"],
    ["constructor", "answer of constructor"],
  ]);
});

test("faults are found before sending", () => {
  const email = onlyEntry(aForm([aField("email", { type: "email" })]));
  expect(answerFault(email, "")).toBe("missing");
  expect(answerFault(email, "ana@")).toBe("invalid_email");
  expect(answerFault(email, " ana@example.com ")).toBeNull();
  const choice = onlyEntry(
    aForm([aField("reason", { type: "choice", choices: [{ id: "too_big", label: "Too big" }] })]),
  );
  expect(answerFault(choice, "Too big")).toBe("not_offered");
  expect(answerFault(choice, "too_big")).toBeNull();
  const note = onlyEntry(aForm([aField("note")], {}, false));
  expect(answerFault(note, "")).toBeNull();
  expect(answerFault(note, "🚲".repeat(1_000))).toBeNull();
  expect(answerFault(note, "🚲".repeat(1_001))).toBe("too_long");
  expect(answerFault(note, "\u0000x")).toBe("not_storable");
});

test("saving sends what was typed and names what was skipped", () => {
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

test("a disputed answer that is sent as it stands is confirmed", () => {
  const form = aForm([aField("size")], { values: [aValue("size", "52 cm", { status: "disputed" })] });
  expect(saveBody(form, formEntries(form), nothing).values).toEqual(new Map([["size", "52 cm"]]));
});

test("a teammate's change is told to whoever was typing something else", () => {
  const before = aForm([aField("day")], { values: [aValue("day", "Monday")] });
  const typed = typeAnswer(nothing, onlyEntry(before), "Tuesday");
  const changed = aValue("day", "Friday", { actor: "teammate" });
  const after = aForm([aField("day")], { version: 2, values: [changed] });
  expect(changedMeanwhile(onlyEntry(before), typed)).toBeNull();
  expect(changedMeanwhile(onlyEntry(after), typed)).toBe(changed);
  expect(answerText(onlyEntry(after), typed)).toBe("Tuesday");
  expect(answerText(onlyEntry(after), nothing)).toBe("Friday");
  expect(changedMeanwhile(onlyEntry(after), keepTyped(typed, formEntries(after)))).toBeNull();
});

test("typed answers of another version, or of nobody, are dropped", () => {
  expect(parseTyped('[["a",{"text":7}],["b"],7]').size).toBe(0);
  expect(parseTyped("{").size).toBe(0);
  expect(parseTyped(null).size).toBe(0);
});

test("an address that is known stands in the fields that ask for one, unless one is stored", () => {
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

test("a form with more answers than a submission takes is sent in parts, the required ones last", () => {
  const fields = Array.from({ length: 23 }, (_, index) => aField(`q${index}`));
  const form = aForm(fields, {
    request: {
      id: "request-1",
      collectionId: "fitting",
      purpose: "For the fitting.",
      fields: fields.map(({ id }, index) => ({ fieldId: id, required: index < 2 })),
      complete: false,
      canSkip: false,
      canCancel: true,
    },
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
  const left = stillTyped(typed, formEntries(afterwards), first);
  expect([...left.keys()]).toEqual(["q0", "q1", "q22"]);
  expect(saveBody(afterwards, formEntries(afterwards), left).values).toEqual(
    new Map([...left].map(([id, { text }]) => [id, text])),
  );
});

test("what a save that left the form open did not take for an answer stays in its field", () => {
  const form = aForm([aField("email", { type: "email" }), aField("note"), aField("extra")], {}, false);
  const [email, note, extra] = formEntries(form);
  if (email === undefined || note === undefined || extra === undefined) throw new Error("a field is missing");
  const typed = typeAnswer(
    typeAnswer(typeAnswer(nothing, email, " ana@example.com"), note, "a thought"),
    extra,
    "",
  );
  const values = [aValue("email", "ana@example.com"), aValue("note", "a thought", { status: "unknown" })];
  const left = stillTyped(typed, formEntries({ ...form, values }), saveBody(form, formEntries(form), typed));
  expect([...left.keys()]).toEqual(["note"]);
});
