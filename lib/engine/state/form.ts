/**
 * A form (collection) while the customer fills it in. Typed answers are kept apart from stored values, so
 * that a teammate's change, a conflict or a reload loses neither.
 */
import type { Collection, CollectionValue, Field } from "../../chat-api/collection.ts";
import { emailPattern } from "../../chat-api/email.ts";
import { limits } from "../../chat-api/limits.ts";
import type { SubmitCollectionBody } from "../../chat-api/operations/submit-collection.ts";
import { hasVisibleText, isStorableText, utf16Length } from "../../chat-api/text.ts";
import { fieldsOf, isRecord } from "../storage/stored.ts";

export interface FormEntry {
  field: Field;
  required: boolean;
  /** The stored value; null if there is none. */
  stored: CollectionValue | null;
}

/** The customer's text in one field, and the value that was stored when they began to type. */
export interface TypedAnswer {
  text: string;
  basedOn: string | null;
}

/** Typed answers by field ID. A Map, because `__proto__` and `constructor` are valid field IDs. */
export type TypedAnswers = ReadonlyMap<string, TypedAnswer>;

/** The open form's fields in the requested order; none without an open form. */
export function formEntries(collection: Collection): FormEntry[] {
  const fields = new Map(collection.fields.map((field) => [field.id, field]));
  const values = new Map(collection.values.map((value) => [value.fieldId, value]));
  return (collection.request?.fields ?? []).flatMap(({ fieldId, required }) => {
    const field = fields.get(fieldId);
    return field === undefined ? [] : [{ field, required, stored: values.get(fieldId) ?? null }];
  });
}

/**
 * Whether the customer has answered the form since it was requested. Earlier values do not count: the agent
 * asks again for details that it has, if they did not help. False if it is unknown when the form was
 * requested.
 */
export function isAnsweredSince(entries: readonly FormEntry[], askedAt: string | null): boolean {
  return (
    askedAt !== null &&
    entries.some(({ stored }) => stored?.actor === "visitor" && stored.updatedAt >= askedAt)
  );
}

/**
 * Whether the customer sees the same form with the same values: its version also changes with a value's time
 * or author.
 */
export function isSameForm(a: Collection, b: Collection): boolean {
  const seen = ({ request, fields, values, pendingAction, error }: Collection) =>
    JSON.stringify([
      request,
      fields,
      values.map(({ fieldId, value, status }) => [fieldId, value, status]).sort(),
      pendingAction,
      error,
    ]);
  return seen(a) === seen(b);
}

/** Only an accepted value is an answer (docs/chat-api.md, "Collection"). */
export function storedText({ stored }: FormEntry): string | null {
  return stored?.status === "accepted" ? stored.value : null;
}

export function answerText(entry: FormEntry, typed: TypedAnswers): string {
  return typed.get(entry.field.id)?.text ?? storedText(entry) ?? "";
}

export function typeAnswer(typed: TypedAnswers, entry: FormEntry, text: string): TypedAnswers {
  // Null is a valid base: any later stored value is news.
  const before = typed.get(entry.field.id);
  const basedOn = before === undefined ? storedText(entry) : before.basedOn;
  return new Map(typed).set(entry.field.id, { text, basedOn });
}

/** The customer's known email address, as if typed, where one is requested and none is stored. */
export function prefilled(entries: readonly FormEntry[], email: string | null): TypedAnswers {
  if (email === null) return new Map();
  const emailFields = entries.filter((entry) => entry.field.type === "email" && storedText(entry) === null);
  return new Map(emailFields.map(({ field }) => [field.id, { text: email, basedOn: null }]));
}

/** The value that someone else stored after the customer began to type; null for none. */
export function changedMeanwhile(entry: FormEntry, typed: TypedAnswers): CollectionValue | null {
  const answer = typed.get(entry.field.id);
  const now = storedText(entry);
  const isChanged = answer !== undefined && now !== null && now !== answer.basedOn && now !== answer.text;
  return isChanged ? entry.stored : null;
}

/** The typed answers after the customer has chosen them over newer stored values, which count as seen. */
export function keepTyped(typed: TypedAnswers, entries: readonly FormEntry[]): TypedAnswers {
  const next = new Map(typed);
  for (const entry of entries) {
    const answer = typed.get(entry.field.id);
    if (answer !== undefined) next.set(entry.field.id, { ...answer, basedOn: storedText(entry) });
  }
  return next;
}

export type AnswerProblem = "missing" | "invalid_email" | "too_long" | "not_offered" | "not_storable";

export function answerProblem({ field, required }: FormEntry, text: string): AnswerProblem | null {
  if (!hasVisibleText(text)) return required ? "missing" : null;
  if (utf16Length(text) > limits.answerLength) return "too_long";
  if (!isStorableText(text)) return "not_storable";
  if (field.type === "email") return emailPattern.test(text.trim()) ? null : "invalid_email";
  if (field.type === "choice") return field.choices.some(({ id }) => id === text) ? null : "not_offered";
  return null;
}

/** Problems by field ID, in the form's order. */
export type AnswerProblems = ReadonlyMap<string, AnswerProblem>;

export function answerProblems(entries: readonly FormEntry[], typed: TypedAnswers): AnswerProblems {
  return new Map(
    entries.flatMap((entry) => {
      const problem = answerProblem(entry, answerText(entry, typed));
      return problem === null ? [] : [[entry.field.id, problem] as const];
    }),
  );
}

/** The body that saves the form: the typed values, and the optional fields that were left empty. */
export function saveBody(
  collection: Collection,
  entries: readonly FormEntry[],
  typed: TypedAnswers,
): SubmitCollectionBody {
  const answers = entries.map((entry) => ({ entry, text: answerText(entry, typed) }));
  const filled = answers.filter(({ text }) => hasVisibleText(text));
  const changed = filled.filter(({ entry, text }) => storedText(entry) !== text);
  const skipped = answers.filter(({ entry, text }) => !hasVisibleText(text) && !entry.required);
  // An unchanged form is confirmed by sending its answers: an empty submission would say nothing.
  const isConfirmed = changed.length + skipped.length === 0;
  // The last required answer closes the form, so required answers go into the last submission.
  const entriesToSend = (isConfirmed ? filled : changed).toSorted(
    (one, other) => Number(one.entry.required) - Number(other.entry.required),
  );
  return {
    collectionRequestId: collection.request?.id ?? null,
    expectedVersion: collection.version,
    action: "save",
    values: new Map(
      entriesToSend
        .slice(0, limits.answersPerSubmission)
        .map(({ entry, text }) => [entry.field.id, entry.field.type === "email" ? text.trim() : text]),
    ),
    ...(skipped.length === 0
      ? {}
      : {
          fieldIds: skipped.slice(0, limits.skippedFieldsPerSubmission).map(({ entry }) => entry.field.id),
        }),
  };
}

/**
 * The typed answers that remain after a submission that left the form open: those beyond one submission's
 * limit, and those that the server did not accept. Without them the fields would be empty.
 */
export function stillTyped(
  typed: TypedAnswers,
  entries: readonly FormEntry[],
  { values, fieldIds = [] }: SubmitCollectionBody,
): TypedAnswers {
  const isLeft = (entry: FormEntry, text: string) => {
    const stored = storedText(entry);
    const wasSent = values?.has(entry.field.id) === true || fieldIds.includes(entry.field.id);
    return wasSent ? stored === null && hasVisibleText(text) : text !== (stored ?? "");
  };
  return new Map(
    entries.flatMap((entry) => {
      const answer = typed.get(entry.field.id);
      return answer !== undefined && isLeft(entry, answer.text) ? [[entry.field.id, answer] as const] : [];
    }),
  );
}

/** The body that skips or cancels the form. */
export function endBody(collection: Collection, action: "skip" | "cancel"): SubmitCollectionBody {
  return {
    collectionRequestId: collection.request?.id ?? null,
    expectedVersion: collection.version,
    action,
  };
}

/** Restores the map from its entries in the tab's storage. */
export function parseTyped(value: unknown): TypedAnswers {
  const entries = (Array.isArray(value) ? value : []).flatMap((entry: unknown): [string, TypedAnswer][] => {
    if (!Array.isArray(entry) || typeof entry[0] !== "string" || !isRecord(entry[1])) return [];
    if (typeof entry[1]["text"] !== "string") return [];
    return [[entry[0], fieldsOf<TypedAnswer>(entry[1], { text: "", basedOn: null })]];
  });
  return new Map(entries);
}
