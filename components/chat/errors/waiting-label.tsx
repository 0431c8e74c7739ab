import { askedUntil, type Failure } from "../../../lib/engine/failure.ts";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { useSecondsUntil } from "./use-seconds-until.ts";
import { hasCountdown, type WaitingReason, waitingText } from "./waiting-text.ts";

/** Why a request waits before it is repeated, and for how long if that is known; null without a wait. */
export const useWaitingLabel = (waiting: Failure | null): string | null =>
  useReasonLabel(waiting && waitingText(waiting), waiting && askedUntil(waiting));

/** @param until When the wait ends, in milliseconds since 1970; null if unknown. */
export function useReasonLabel(reason: WaitingReason | null, until: number | null): string | null {
  const { t, format } = useChatContext();
  const seconds = useSecondsUntil(reason !== null && hasCountdown(reason) ? until : null);
  if (reason === null) return null;
  return seconds > 1 ? `${t.waiting[reason]} ${format.wait(seconds)}` : t.waiting[reason];
}

/** Announces why a request waits, but not the seconds in its button. */
export function WaitingStatus({ waiting }: { waiting: Failure | null }) {
  const { t } = useChatContext();
  return <Hidden role="status">{waiting && t.waiting[waitingText(waiting)]}</Hidden>;
}
