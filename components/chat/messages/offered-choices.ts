import { limits } from "../../../lib/chat-api/limits.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";

/** A choice is sent verbatim (docs/chat-api.md, "Message"), so those that cannot be sent are left out. */
export function offeredChoices(choices: readonly string[]): string[] {
  return [...new Set(choices)].filter(
    (text) => hasVisibleText(text) && text.length <= limits.messageTextLength,
  );
}
