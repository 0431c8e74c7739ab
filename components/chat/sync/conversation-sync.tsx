import { useEffect, useMemo, useState } from "react";
import { conversationName } from "#lib/conversation/conversation-ref.ts";
import { pollInterval } from "#lib/conversation/polling.ts";
import { modeOf, statusOf } from "#lib/conversation/selectors.ts";
import { useConversation } from "../chat-context.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { createPoller } from "./poller.ts";
import { isVisibleNow, useReturn, useVisible } from "./use-visible.ts";

/**
 * Looks for news of the conversation on screen: at once when the customer comes back to the page or the network does,
 * else at the pace of `pollInterval`. One tab of a browser does it and tells the others.
 */
export function ConversationSync({ runtime, leads }: { runtime: ChatRuntime; leads: boolean }) {
  const isVisible = useVisible();
  const state = useConversation(runtime);
  const isReadable = state.chatId !== null && state.history.state === "ready";

  const { chatId } = state;
  const poller = useMemo(() => createPoller(() => whenDue(runtime, chatId)), [runtime, chatId]);
  const looks = leads && isReadable;
  useEffect(() => {
    if (!looks) return;
    poller.start();
    return poller.stop;
  }, [poller, looks]);
  const interval = intervalOf(runtime, isVisible);
  useEffect(() => poller.pace(interval), [poller, interval]);
  useReturn(poller.lookNow);
  return null;
}

/** With an interval of 0 there is nothing to look for: a closed chat, or a reply that brings the news itself. */
async function whenDue(runtime: ChatRuntime, chatId: string | null): Promise<void> {
  const isOnScreen = runtime.getState().chatId === chatId;
  if (isOnScreen && intervalOf(runtime, isVisibleNow()) > 0) await runtime.sync();
}

function intervalOf(runtime: ChatRuntime, isVisible: boolean): number {
  const state = runtime.getState();
  return pollInterval({ mode: modeOf(state), isVisible, isBusy: statusOf(state) !== "idle" });
}

/** True in the one tab that polls. The tab that the customer looks at takes it over; a closed one leaves it. */
export function useLeadership(runtime: ChatRuntime): boolean {
  const [leads, setLeads] = useState(false);
  const name = conversationName(runtime.getState());
  useEffect(() => runtime.lead(name, setLeads), [runtime, name]);
  return leads;
}
