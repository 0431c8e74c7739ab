import { askedUntil, type Failure } from "../../../lib/conversation/failure.ts";
import { useChat } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { useSecondsUntil } from "./use-seconds-until.ts";
import { waitingText } from "./waiting-text.ts";

/** Why a request waits before it is repeated, and for how long; null while it does not wait. */
export function useWaitingLabel(waiting: Failure | null): string | null {
  const { t, format } = useChat();
  const seconds = useSecondsUntil(waiting && askedUntil(waiting));
  if (waiting === null) return null;
  const reason = t.waiting[waitingText(waiting)];
  return seconds > 1 ? `${reason} ${format.wait(seconds)}` : reason;
}

/** Announces why a request waits, but not the seconds in its button. */
export function WaitingStatus({ waiting }: { waiting: Failure | null }) {
  const { t } = useChat();
  return (
    <Hidden>
      <span role="status">{waiting && t.waiting[waitingText(waiting)]}</span>
    </Hidden>
  );
}
