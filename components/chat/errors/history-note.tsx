import type { Failure } from "../../../lib/engine/failure.ts";
import { type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { isOutOfService } from "../../../lib/engine/state/selectors.ts";
import { useChatContext } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import { RemedyNote } from "./remedy-note.tsx";
import { useSecondsUntil } from "./use-seconds-until.ts";

export interface HistoryNoteProps {
  failure: Failure;
  /** When the chat is read again automatically; null if that would not help. */
  retryAt: number | null;
}

/** Shown in place of messages that could not be read. */
export function HistoryNote({ failure, retryAt }: HistoryNoteProps) {
  const { chat, t, format } = useChatContext();
  const seconds = useSecondsUntil(retryAt);
  const press = (button: RemedyButton) => {
    if (button === "new_chat") chat.startOver();
    else chat.reload();
  };
  const retried = retryAt !== null && {
    remedy: { ...remedyFor(failure), button: "try_again" as const },
    text: isOutOfService(failure.code) ? t.remedies.not_available : t.problems.notRead,
    countdown: seconds > 0 ? fill(t.notes.readAgain, { seconds: format.number(seconds) }) : "",
  };
  return <RemedyNote weight="banner" failure={failure} onPress={press} {...retried} />;
}
