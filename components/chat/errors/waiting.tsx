import { useCallback, useMemo, useSyncExternalStore } from "react";
import { errorRules } from "../../../lib/chat-api/errors.ts";
import { askedUntil, type Failure } from "../../../lib/engine/failure.ts";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import type { Strings } from "../i18n/language.ts";

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

type WaitingReason = keyof Strings["waiting"];

/** Why the next attempt of a request waits. `isFirst`: the request creates the chat. */
export function waitingText({ code }: Failure, isFirst = false): WaitingReason {
  const reason = errorRules[code].repeat?.waitingFor ?? "service";
  if (reason === "connection" && !navigator.onLine) return "offline";
  return reason === "fast" && isFirst ? "newChat" : reason;
}

/** False where the end of the wait is unknown: no network, another reply in progress, a file not ready. */
function hasCountdown(reason: WaitingReason): boolean {
  return reason !== "offline" && reason !== "turn" && reason !== "file";
}

/** Whole seconds until `at` (milliseconds since 1970), counting down to 0; 0 for null. */
export function useSecondsUntil(at: number | null): number {
  // `performance.now()`, because the customer's clock may be set back meanwhile.
  const end = useMemo(() => (at === null ? 0 : performance.now() + at - Date.now()), [at]);
  const secondsLeft = () => {
    const remaining = at === null ? 0 : Math.min(at - Date.now(), end - performance.now());
    return Math.max(0, Math.ceil(remaining / 1_000));
  };
  const subscribe = useCallback(
    (onTick: () => void) => {
      if (at === null) return () => undefined;
      const timer = setInterval(() => {
        onTick();
        if (performance.now() >= end) clearInterval(timer);
      }, 250);
      return () => clearInterval(timer);
    },
    [at, end],
  );
  return useSyncExternalStore(subscribe, secondsLeft, secondsLeft);
}
