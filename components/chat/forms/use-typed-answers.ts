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
 * What was typed into the form with this request ID: kept in the tab until it is sent, over reloads and failures.
 * `known` is there to begin with.
 */
export function useTypedAnswers(requestId: string, known: TypedAnswers) {
  const name = `form:${requestId}`;
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
