/** A teammate's edits of a chat's details: any value of any known field, in any status. Pure. */
import type { CollectionValue, Field, ValueStatus } from "#lib/chat-api/collection.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { jsonPointer } from "#lib/chat-api/parse-request.ts";
import type { CollectionState } from "../db/documents.ts";
import { answerProblem, normaliseAnswer } from "./answers.ts";
import { withValues } from "./collection-state.ts";

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
