import type { Collection, CollectionValue, Field } from "#lib/chat-api/collection.ts";
import type { Strings } from "../i18n/strings.ts";

export interface Question {
  field: Field;
  /** What is stored for it; null when nothing is. */
  value: CollectionValue | null;
}

/** What a form asks, in its order, with the answers as far as they are known. */
export function questionsOf(asked: Collection, values: readonly CollectionValue[]): Question[] {
  const fields = new Map(asked.fields.map((field) => [field.id, field]));
  const known = new Map(values.map((value) => [value.fieldId, value]));
  return (asked.request?.fields ?? []).flatMap(({ fieldId }) => {
    const field = fields.get(fieldId);
    return field === undefined ? [] : [{ field, value: known.get(fieldId) ?? null }];
  });
}

/** An answer as the customer knows it: the option's label and not its ID. */
export function shownAnswer({ field, value }: Question, t: Strings): string {
  if (value?.status === "declined") return t.form.declined;
  if (value === null || value.value === null || value.status === "unknown") return t.form.notAnswered;
  return field.choices.find(({ id }) => id === value.value)?.label ?? value.value;
}
