import * as conversationLimits from "../../../lib/engine/limits.ts";
import type { Delivery } from "../../../lib/engine/state/state.ts";
import { useChatContext } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { useSecondsUntil } from "../errors/use-seconds-until.ts";

/** A button for a message whose outcome has been in doubt for a while: the next attempt starts at once. */
export function TryNow({ delivery }: { delivery: Delivery }) {
  const { chat, t } = useChatContext();
  const since = "since" in delivery ? delivery.since : undefined;
  const seconds = useSecondsUntil(since === undefined ? null : since + conversationLimits.quietDoubt);
  if (since === undefined || seconds > 0) return null;
  // It stays in place while an attempt runs, so that the focus stays on it.
  return (
    <Button look="link" aria-disabled={delivery.state === "checking"} onClick={chat.tryNow}>
      {t.buttons.try_again}
    </Button>
  );
}
