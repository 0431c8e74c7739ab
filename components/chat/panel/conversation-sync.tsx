import { useCallback, useEffect, useMemo, useState } from "react";
import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { conversationName } from "../../../lib/engine/conversation-ref.ts";
import { createPoller } from "../../../lib/engine/history/poller.ts";
import { pollInterval } from "../../../lib/engine/state/polling.ts";
import { useConversation } from "../chat-context.ts";
import { isVisibleNow, useReturn, useVisible } from "../controls/use-visible.ts";

/**
 * Polls the conversation on screen: at once when the customer returns to the page or the network comes back,
 * otherwise every `pollInterval`. One tab of a browser does it and informs the others.
 */
export function ConversationSync({ runtime, leads }: { runtime: ChatRuntime; leads: boolean }) {
  const isVisible = useVisible();
  const { chatId, history } = useConversation(runtime);
  const isReadable = chatId !== null && history.state === "ready";
  const isPolling = leads && isReadable;

  const poller = useMemo(() => createPoller(() => whenDue(runtime, chatId)), [runtime, chatId]);
  const interval = intervalOf(runtime, isVisible);
  useEffect(() => poller.setInterval(interval), [poller, interval]);
  useEffect(() => {
    if (!isPolling) return;
    poller.start();
    return poller.stop;
  }, [poller, isPolling]);
  // Another tab or device may have started a turn, whose answer follows within seconds.
  const onReturn = useCallback(() => {
    if (isPolling && intervalOf(runtime, true) > 0) void runtime.history.syncSoon(runtime.getState());
  }, [runtime, isPolling]);
  useReturn(onReturn);
  return null;
}

/** Polls if that is still wanted: the situation may have changed since the timer was set. */
async function whenDue(runtime: ChatRuntime, chatId: string | null): Promise<void> {
  const isOnScreen = runtime.getState().chatId === chatId;
  if (isOnScreen && intervalOf(runtime, isVisibleNow()) > 0) await runtime.history.sync();
}

function intervalOf(runtime: ChatRuntime, isVisible: boolean): number {
  return pollInterval(runtime.getState(), isVisible);
}

/** True in the one tab that polls. The visible tab takes over; a closed tab releases the role. */
export function useLeadership(runtime: ChatRuntime, isAwake: boolean): boolean {
  const [leads, setLeads] = useState(false);
  const name = conversationName(runtime.getState());
  useEffect(() => {
    // A chat that is not awake takes no lock: a page with a lock stays out of the back/forward cache.
    if (isAwake) return runtime.lead(name, setLeads);
  }, [runtime, name, isAwake]);
  return leads;
}
