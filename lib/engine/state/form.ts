/**
 * A form (collection) while the customer fills it in. Typed answers are kept apart from stored values, so
 * that a teammate's change, a conflict or a reload loses neither.
 */
import type { Collection, CollectionValue, Field } from "../../chat-api/collection.ts";
import { limits } from "../../chat-api/limits.ts";
import type { SubmitCollectionBody } from "../../chat-api/operations/submit-collection.ts";
import { emailPattern } from "../../chat-api/patterns.ts";
import { hasVisibleText, isStorableText, utf16Length } from "../../chat-api/text.ts";
import { isRecord } from "../storage/stored.ts";

export interface FormEntry {
  field: Field;
  required: boolean;
  /** The stored value; null if there is none. */
  stored: CollectionValue | null;
}

/** Typed answers by field ID. A Map, because `__proto__` and `constructor` are valid field IDs. */
export type TypedAnswers = ReadonlyMap<string, string>;

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
  return typed.get(entry.field.id) ?? storedText(entry) ?? "";
}

/** The time of the newest stored value; empty without values. */
export function newestChange({ values }: Collection): string {
  return (
    values
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .at(-1) ?? ""
  );
}

/** The other answer that somebody has stored since the customer began to type; null for none. */
export function changedMeanwhile(
  entry: FormEntry,
  typed: TypedAnswers,
  typedSince: string,
): CollectionValue | null {
  const { field, stored } = entry;
  const [mine, theirs] = [typed.get(field.id), storedText(entry)];
  const isChanged = mine !== undefined && theirs !== null && theirs !== mine;
  return isChanged && stored !== null && stored.updatedAt > typedSince ? stored : null;
}

/** The customer's known email address, as if typed, where one is requested and none is stored. */
export function prefilled(entries: readonly FormEntry[], email: string | null): TypedAnswers {
  if (email === null) return new Map();
  const emailFields = entries.filter((entry) => entry.field.type === "email" && storedText(entry) === null);
  return new Map(emailFields.map(({ field }) => [field.id, email]));
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

/** The answers that a submission has left without an accepted value: their fields would be empty. */
export function notAccepted(typed: TypedAnswers, entries: readonly FormEntry[]): TypedAnswers {
  const isLeft = (id: string) => entries.some((entry) => entry.field.id === id && storedText(entry) === null);
  return new Map([...typed].filter(([id, text]) => hasVisibleText(text) && isLeft(id)));
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
  const entries = (Array.isArray(value) ? value : []).flatMap((entry: unknown): [string, string][] => {
    if (!Array.isArray(entry) || typeof entry[0] !== "string") return [];
    // Earlier builds have stored an object.
    const text = isRecord(entry[1]) ? entry[1]["text"] : entry[1];
    return typeof text === "string" ? [[entry[0], text]] : [];
  });
  return new Map(entries);
}
