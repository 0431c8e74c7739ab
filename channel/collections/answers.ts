/** The answers that a field accepts (docs/chat-api.md, "Field"). Pure. */
import type { Field } from "#lib/chat-api/collection.ts";
import { emailPattern } from "#lib/chat-api/email.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";

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
