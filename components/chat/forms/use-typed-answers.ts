import { useState } from "react";
import {
  encodeTyped,
  type FormEntry,
  parseTyped,
  type TypedAnswers,
  typeAnswer,
} from "#lib/conversation/form.ts";
import { createTabStorage } from "../runtime/kept-attempt.ts";

/**
 * What was typed into this form of the chat: kept in the tab until it is sent, over reloads and failures. `known` is
 * there to begin with. Nothing says that a request's ID is not another's in another chat, which may be another customer's.
 */
export function useTypedAnswers(chatId: string | null, requestId: string, known: TypedAnswers) {
  const name = `form:${chatId}:${requestId}`;
  const [storage] = useState(createTabStorage);
  const [typed, setTyped] = useState<TypedAnswers>(() => {
    const kept = storage.read(name);
    return kept === null ? known : parseTyped(kept);
  });

  function keep(answers: TypedAnswers): void {
    setTyped(answers);
    storage.write(name, answers.size === 0 ? null : encodeTyped(answers));
  }

  return {
    typed,
    type: (entry: FormEntry, text: string) => keep(typeAnswer(typed, entry, text)),
    keep,
  };
}
