/** How submissions and teammates change a chat's details (docs/chat-api.md, "Forms and handoffs"). Pure. */
import type { CollectionValue, Field, ValueStatus } from "#lib/chat-api/collection.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { SubmitCollectionBody } from "#lib/chat-api/operations/submit-collection.ts";
import { jsonPointer } from "#lib/chat-api/parse-request.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";
import type { CollectionState, OpenForm } from "../db/schema.ts";
import {
  acceptedFieldIds,
  answerProblem,
  closeForm,
  missingOf,
  normaliseAnswer,
  withValues,
} from "./collection-state.ts";

export type SubmissionOutcome =
  /** `closed` is the form that this submission closed; null when it stays open or none was open. */
  | { kind: "accepted"; state: CollectionState; closed: OpenForm | null }
  /** A refusal. Only its reason is saved: readers of the collection find it in `error`. */
  | { kind: "refused"; state: CollectionState; error: ChatApiError };

/** @throws ChatApiError `version_conflict` if the collection has changed since it was read */
export function submit(state: CollectionState, body: SubmitCollectionBody, now: string): SubmissionOutcome {
  if (body.expectedVersion !== state.version)
    throw new ChatApiError("version_conflict", { field: "/expectedVersion" });
  if (body.collectionRequestId !== (state.request?.id ?? null))
    return refusal(state, ["collectionRequestId"], "This form is not the one being asked for.");
  switch (body.action) {
    case "save":
      return save(state, body, now);
    case "skip":
      return skip(state, now);
    case "cancel":
      return cancel(state);
    default:
      return body.action satisfies never;
  }
}

/** Saves the given answers. A form that still lacks a required answer stays open. */
function save(state: CollectionState, body: SubmitCollectionBody, now: string): SubmissionOutcome {
  const fields = submittableFields(state);
  const changed = new Map<string, CollectionValue>();
  for (const [fieldId, answer] of body.values ?? []) {
    const entry = fields.get(fieldId);
    if (entry === undefined) return refusal(state, ["values", fieldId], "This form has no such field.");
    if (!entry.required && !hasVisibleText(answer)) {
      changed.set(fieldId, visitorValue(fieldId, null, "declined", now));
      continue;
    }
    const problem = answerProblem(entry.field, answer);
    if (problem !== null) return refusal(state, ["values", fieldId], problem);
    changed.set(fieldId, visitorValue(fieldId, normaliseAnswer(entry.field, answer), "accepted", now));
  }
  for (const [index, fieldId] of (body.fieldIds ?? []).entries()) {
    const entry = fields.get(fieldId);
    if (entry === undefined) return refusal(state, ["fieldIds", index], "This form has no such field.");
    if (entry.required)
      return refusal(state, ["fieldIds", index], `“${entry.field.label}” is required: it cannot be skipped.`);
    if (changed.get(fieldId)?.status === "accepted")
      return refusal(state, ["fieldIds", index], `“${entry.field.label}” is both answered and skipped.`);
    changed.set(fieldId, visitorValue(fieldId, null, "declined", now));
  }
  const saved: CollectionState = {
    ...state,
    version: state.version + 1,
    values: withValues(state.values, [...changed.values()]),
    error: null,
  };
  if (missingOf(saved).length > 0) return { kind: "accepted", state: saved, closed: null };
  return { kind: "accepted", state: { ...saved, request: null }, closed: state.request };
}

/** Skips the form: its unanswered fields are declined. */
function skip(state: CollectionState, now: string): SubmissionOutcome {
  if (state.request?.canSkip !== true) return refusal(state, ["action"], "This form cannot be skipped.");
  const settled = acceptedFieldIds(state);
  const declined = state.request.fields
    .filter((entry) => !settled.has(entry.fieldId))
    .map((entry) => visitorValue(entry.fieldId, null, "declined", now));
  return {
    kind: "accepted",
    state: {
      ...state,
      version: state.version + 1,
      values: withValues(state.values, declined),
      request: null,
      error: null,
    },
    closed: state.request,
  };
}

/** Cancels the form: the answers stay, and the pending action ends. */
function cancel(state: CollectionState): SubmissionOutcome {
  if (state.request?.canCancel !== true) return refusal(state, ["action"], "This form cannot be cancelled.");
  return { kind: "accepted", state: closeForm(state), closed: state.request };
}

/** The open form's fields. Without a form: every field with a value, as optional, to be corrected. */
function submittableFields(state: CollectionState): Map<string, { field: Field; required: boolean }> {
  const entries =
    state.request?.fields ?? state.values.map((value) => ({ fieldId: value.fieldId, required: false }));
  const definitions = new Map(state.fields.map((field) => [field.id, field]));
  return new Map(
    entries.flatMap(({ fieldId, required }) => {
      const field = definitions.get(fieldId);
      return field === undefined ? [] : [[fieldId, { field, required }] as const];
    }),
  );
}

function visitorValue(
  fieldId: string,
  value: string | null,
  status: ValueStatus,
  updatedAt: string,
): CollectionValue {
  return { fieldId, value, status, actor: "visitor", updatedAt };
}

function refusal(state: CollectionState, path: PropertyKey[], message: string): SubmissionOutcome {
  const error = new ChatApiError("invalid_submission", { field: jsonPointer(path), message });
  return { kind: "refused", state: { ...state, error: message }, error };
}

export interface TeammateEdit {
  fieldId: string;
  value: string | null;
  status: ValueStatus;
}

/**
 * Raises the version, so that a customer who is filling in the form gets `version_conflict`.
 * @throws ChatApiError `invalid_request` for an unknown field, or an accepted value that does not fit its
 * field
 */
export function editAsTeammate(
  state: CollectionState,
  edits: readonly TeammateEdit[],
  now: string,
): CollectionState {
  const definitions = new Map(state.fields.map((field) => [field.id, field]));
  const changed = edits.map((edit, index): CollectionValue => {
    const field = definitions.get(edit.fieldId);
    const problem = field === undefined ? "The chat has no such field." : editProblem(field, edit);
    if (field === undefined || problem !== null)
      throw new ChatApiError("invalid_request", {
        field: jsonPointer(["values", index]),
        ...(problem === null ? {} : { message: problem }),
      });
    const value = edit.value === null ? null : normaliseAnswer(field, edit.value);
    return { fieldId: edit.fieldId, value, status: edit.status, actor: "teammate", updatedAt: now };
  });
  return { ...state, version: state.version + 1, values: withValues(state.values, changed), error: null };
}

function editProblem(field: Field, edit: TeammateEdit): string | null {
  if (edit.status !== "accepted") return null;
  return answerProblem(field, edit.value ?? "");
}
