/** A chat's details: stored state and the Collection resource (docs/chat-api.md, "Collection"). Pure. */
import type { Collection, CollectionValue, Field } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { emailPattern } from "#lib/chat-api/patterns.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { CollectionState } from "../db/schema.ts";

export const emptyCollection: CollectionState = {
  version: 1,
  fields: [],
  values: [],
  request: null,
  pendingAction: null,
  error: null,
};

export function readCollection(state: CollectionState): Collection {
  const missing = missingOf(state);
  const referred = new Set(state.values.map((value) => value.fieldId));
  for (const entry of state.request?.fields ?? []) referred.add(entry.fieldId);
  return {
    version: state.version,
    fields: state.fields.filter((field) => referred.has(field.id)),
    values: [...state.values],
    request:
      state.request === null
        ? null
        : { ...state.request, fields: [...state.request.fields], complete: missing.length === 0 },
    missing,
    pendingAction: state.pendingAction,
    error: state.error,
  };
}

/** Required fields of the open form that have no accepted answer. */
export function missingOf(state: CollectionState): string[] {
  const answered = acceptedFieldIds(state);
  return (state.request?.fields ?? [])
    .filter((entry) => entry.required && !answered.has(entry.fieldId))
    .map((entry) => entry.fieldId);
}

/**
 * Fields that the team requires before a handoff and that are still open. A form that may be skipped asks
 * only once: its declined fields count as settled.
 */
export function missingDetails(state: CollectionState, details: FormRequest): string[] {
  const settled = acceptedFieldIds(state);
  if (details.canSkip)
    for (const value of state.values) if (value.status === "declined") settled.add(value.fieldId);
  return details.fields
    .filter((entry) => entry.required && !settled.has(entry.field.id))
    .map((entry) => entry.field.id);
}

/** Asks the customer to fill in `form`. Replaces any open form. */
export function openForm(
  state: CollectionState,
  form: FormRequest,
  opening: { requestId: string; pendingAction?: "handoff" },
): CollectionState {
  const definitions = new Map(state.fields.map((field) => [field.id, field]));
  for (const { field } of form.fields) definitions.set(field.id, field);
  return {
    version: state.version + 1,
    fields: [...definitions.values()],
    values: state.values.map((value) => recheck(value, definitions.get(value.fieldId))),
    request: {
      id: opening.requestId,
      collectionId: form.collectionId,
      purpose: form.purpose,
      fields: form.fields.map((entry) => ({ fieldId: entry.field.id, required: entry.required })),
      canSkip: form.canSkip,
      canCancel: form.canCancel,
    },
    pendingAction: opening.pendingAction ?? null,
    error: null,
  };
}

/** Ends the request for details once the handoff has happened. */
export function endPendingAction(state: CollectionState): CollectionState {
  return state.pendingAction === null ? state : closeForm(state);
}

/** Closes the form and ends the pending action; the answers stay. */
export function closeForm(state: CollectionState): CollectionState {
  const version = state.request === null ? state.version : state.version + 1;
  return { ...state, version, request: null, pendingAction: null, error: null };
}

export function withValues(
  values: readonly CollectionValue[],
  changed: readonly CollectionValue[],
): CollectionValue[] {
  const byField = new Map(values.map((value) => [value.fieldId, value]));
  for (const value of changed) byField.set(value.fieldId, value);
  return [...byField.values()];
}

/** Marks an accepted answer as unknown when the field's new definition rejects it. */
function recheck(value: CollectionValue, field: Field | undefined): CollectionValue {
  if (value.status !== "accepted" || value.value === null || field === undefined) return value;
  return answerProblem(field, value.value) === null ? value : { ...value, status: "unknown" };
}

export function acceptedFieldIds(state: CollectionState): Set<string> {
  return new Set(state.values.filter((value) => value.status === "accepted").map((value) => value.fieldId));
}

/** Why `answer` does not fit `field`, as a sentence for the customer; null when it fits. */
export function answerProblem(field: Field, answer: string): string | null {
  if (!hasVisibleText(answer)) return `“${field.label}” must not be empty.`;
  switch (field.type) {
    case "text":
      return null;
    case "email": {
      const address = answer.trim();
      const isAddress = address.length <= limits.emailLength && emailPattern.test(address);
      return isAddress ? null : `“${field.label}” must be an email address, such as name@example.com.`;
    }
    case "choice":
      return field.choices.some((choice) => choice.id === answer)
        ? null
        : `“${field.label}” must be one of the options.`;
    default:
      return field.type satisfies never;
  }
}

/** The answer as it is stored. Email addresses are trimmed: pasting often adds spaces. */
export function normaliseAnswer(field: Field, answer: string): string {
  return field.type === "email" ? answer.trim() : answer;
}
