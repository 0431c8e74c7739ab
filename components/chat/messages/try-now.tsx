import { errorRules } from "../../../lib/chat-api/errors.ts";
import { askedUntil } from "../../../lib/engine/failure.ts";
import * as conversationLimits from "../../../lib/engine/limits.ts";
import type { Delivery, PendingMessage } from "../../../lib/engine/state/state.ts";
import { useChatContext } from "../chat-context.ts";
import { Button } from "../controls/buttons.tsx";
import { useSecondsUntil } from "../errors/use-seconds-until.ts";

/** A button for a message whose outcome is in doubt some seconds after it was sent: repeats it at once. */
export function TryNow({ pending: { record, delivery } }: { pending: PendingMessage }) {
  const { chat, t } = useChatContext();
  const isDoubted = isInDoubt(delivery);
  const seconds = useSecondsUntil(isDoubted ? record.createdAt + conversationLimits.quietDoubt : null);
  const secondsAsked = useSecondsUntil(delivery.state === "waiting" ? askedUntil(delivery.failure) : null);
  const isHeld = delivery.state === "checking" || secondsAsked > 0;
  if (!isDoubted || seconds > 0) return null;
  // It stays in place during an attempt, and a wait that the server asked for, so that the focus stays on it.
  return (
    <Button look="link" aria-disabled={isHeld} onClick={chat.tryNow}>
      {t.buttons.try_again}
    </Button>
  );
}

/** The codes of an unreachable server alternate while its programs restart. */
function isInDoubt(delivery: Delivery): boolean {
  if (delivery.state !== "waiting") return delivery.state === "checking" || delivery.state === "unsure";
  const { outcome, isUnreachable } = errorRules[delivery.failure.code];
  return outcome === "unknown" || isUnreachable;
}
