/** Derived state of forms, for components. */
import type { CollectionValue } from "../../chat-api/collection.ts";
import {
  type AnswerProblems,
  answerProblems,
  formEntries,
  isAnsweredSince,
  prefilled,
  type TypedAnswers,
} from "./form.ts";
import { type ChatForms, type CollectionAction, formStateOf } from "./forms-state.ts";
import type { ConversationState } from "./state.ts";

type FormsPart = { conversation: Pick<ConversationState, "collection">; forms: ChatForms };

/** The address that the customer has given with an offer and the open form asks for; null for none. */
function givenEmail({ conversation: { collection }, forms }: FormsPart): string | null {
  return collection?.pendingAction === "handoff" ? (forms.offer.request?.email ?? null) : null;
}

/** The answers in the open form: the customer's own, at first the address given with the offer. */
export function typedAnswersOf(state: FormsPart): TypedAnswers {
  const { collection } = state.conversation;
  if (collection === null) return new Map();
  const { typed } = formStateOf(state.forms, collection.request?.id ?? "");
  return typed ?? prefilled(formEntries(collection), givenEmail(state));
}

/** The answers of the open form that cannot be sent, once the customer has tried. */
export function formProblemsOf(state: FormsPart): AnswerProblems {
  const { collection } = state.conversation;
  const isChecked = formStateOf(state.forms, collection?.request?.id ?? "").isChecked;
  return collection === null || !isChecked
    ? new Map()
    : answerProblems(formEntries(collection), typedAnswersOf(state));
}

/**
 * ID of the open form's field that the server refused: the one that the error points at, or the form's only
 * one. Null if that is not known: `missing` says what is unanswered, not what was refused.
 */
export function refusedFieldOf({ conversation: { collection }, forms }: FormsPart): string | null {
  if (collection === null || collection.request === null) return null;
  const { progress } = formStateOf(forms, collection.request.id);
  const failed = progress.state === "failed" ? progress.failure : null;
  const isRefusal = failed === null || failed.code === "invalid_submission";
  const { fields } = collection.request;
  const [only, ...others] = isRefusal && collection.error !== null ? fields : [];
  const named =
    failed?.field?.replace(/^\/values\//, "") ?? (others.length === 0 ? only?.fieldId : undefined);
  return fields.find(({ fieldId }) => fieldId === named)?.fieldId ?? null;
}

/** True if the customer has saved the open form, which stays open for changes. */
export function isFormComplete({ conversation: { collection }, forms }: FormsPart, askedAt: string | null) {
  if (collection?.request?.complete !== true) return false;
  const { wasSaved } = formStateOf(forms, collection.request.id);
  return wasSaved || isAnsweredSince(formEntries(collection), askedAt);
}

/**
 * How a form ended: as this tab remembers it, otherwise as its answers show. Null if that is unknown: the
 * Chat API does not say whether a closed form was answered, skipped, cancelled or withdrawn.
 */
export function formEnd(
  forms: ChatForms,
  requestId: string,
  answers: readonly (CollectionValue | null)[],
  /** When the form was requested; null if unknown. */
  askedAt: string | null,
): CollectionAction | null {
  const { end } = formStateOf(forms, requestId);
  if (end !== null) return end;
  const isAnswered = answers.some(
    (value) =>
      value?.status === "accepted" &&
      value.actor === "visitor" &&
      (askedAt === null || value.updatedAt >= askedAt),
  );
  return isAnswered ? "save" : null;
}
