import { useState } from "react";
import {
  encodeTyped,
  type FormEntry,
  parseTyped,
  type TypedAnswers,
  typeAnswer,
} from "../../../lib/engine/forms/form.ts";
import { tabStorage } from "../../../lib/engine/storage/storage.ts";

/**
 * The values typed into this form, kept in the tab across reloads and failures until they are sent. `known`
 * prefills them. Request IDs are unique only within a chat, so the key has both.
 */
export function useTypedAnswers(chatId: string | null, requestId: string, known: TypedAnswers) {
  const name = `form:${chatId}:${requestId}`;
  const [typed, setTyped] = useState<TypedAnswers>(() => {
    const kept = tabStorage.read(name);
    return kept === null ? known : parseTyped(kept);
  });

  function keep(answers: TypedAnswers): void {
    setTyped(answers);
    tabStorage.write(name, answers.size === 0 ? null : encodeTyped(answers));
  }

  return {
    typed,
    type: (entry: FormEntry, text: string) => keep(typeAnswer(typed, entry, text)),
    keep,
  };
}
