import type { CollectionValue, Field } from "../../../lib/chat-api/collection.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import type { FormEntry } from "../../../lib/engine/state/form.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";

/** A stored value in the customer's words: the option's label instead of its ID. */
export function shownValue(field: Field, value: string, chat: ChatContextValue): string {
  const index = field.choices.findIndex(({ id }) => id === value);
  return index < 0 ? value : optionName(field, index, chat);
}

/**
 * An option without a label is named by its position: a control without a name cannot be selected by voice or
 * found by a screen reader.
 */
export function optionName({ choices }: Field, index: number, { t, format }: ChatContextValue): string {
  const label = choices[index]?.label ?? "";
  return hasVisibleText(label) ? label : fill(t.form.unnamedOption, { number: format.number(index + 1) });
}

export function questionName({ label }: Field, index: number, { t, format }: ChatContextValue): string {
  return hasVisibleText(label) ? label : fill(t.form.unnamedQuestion, { number: format.number(index + 1) });
}

/** The stored value if it is `accepted`, otherwise a note on its status (docs/chat-api.md, "Collection"). */
export function shownAnswer(
  { field, stored }: Pick<FormEntry, "field" | "stored">,
  chat: ChatContextValue,
): string {
  const { form } = chat.t;
  if (stored === null) return form.notAnswered;
  const note = statusNote(field, stored, chat);
  if (note !== null) return note;
  return stored.value === null ? form.notAnswered : shownValue(field, stored.value, chat);
}

/** The status of a stored value that is not an answer; null for an answer. */
export function statusNote(field: Field, stored: CollectionValue, chat: ChatContextValue): string | null {
  const { form } = chat.t;
  const value = stored.value === null ? null : shownValue(field, stored.value, chat);
  switch (stored.status) {
    case "accepted":
      return null;
    case "declined":
      return form.declined;
    case "unknown":
      return value === null ? form.notKnown : fill(form.unconfirmed, { value });
    case "disputed":
      return value === null ? form.inQuestion : fill(form.disputed, { value });
  }
}
