/** What counts as an answer to a field (specification, "Field"; "Submit the collection"). Pure. */
import type { Field } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { emailPattern } from "#lib/chat-api/patterns.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";

/** Why `answer` cannot be the answer to `field`, as a sentence for the customer; null when it can. */
export function answerFault(field: Field, answer: string): string | null {
  if (!hasVisibleText(answer)) return `“${field.label}” must not be empty.`;
  switch (field.type) {
    case "text":
      return null;
    case "email": {
      const address = answer.trim();
      const isAddress = address.length <= limits.emailLength && emailPattern.test(address);
      return isAddress ? null : `“${field.label}” must be an e-mail address, such as name@example.com.`;
    }
    case "choice":
      return field.choices.some((choice) => choice.id === answer)
        ? null
        : `“${field.label}” must be one of the options.`;
    default:
      return field.type satisfies never;
  }
}

/** The answer as it is kept: spaces around an e-mail address come from pasting it. */
export function keptAnswer(field: Field, answer: string): string {
  return field.type === "email" ? answer.trim() : answer;
}
