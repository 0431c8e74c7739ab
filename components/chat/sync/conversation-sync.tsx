import { useEffect, useState } from "react";
import useSWR from "swr";
import { conversationName } from "#lib/conversation/conversation-ref.ts";
import { failureOf } from "#lib/conversation/failure.ts";
import { pollInterval } from "#lib/conversation/polling.ts";
import { modeOf, statusOf } from "#lib/conversation/selectors.ts";
import { useConversation } from "../chat-context.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { isVisibleNow, useReturn, useVisible } from "./use-visible.ts";

/**
 * Looks for news of the conversation on screen: at once when the customer comes back to the page or the network does,
 * else at the pace of `pollInterval`. One tab of a browser does it and tells the others.
 */
export function ConversationSync({ runtime, leads }: { runtime: ChatRuntime; leads: boolean }) {
  const isVisible = useVisible();
  const state = useConversation(runtime);
  const isReadable = state.chatId !== null && state.history.state === "ready";

  const { mutate } = useSWR(
    leads && isReadable ? ["chat-news", state.chatId] : null,
    () => whenDue(runtime, state.chatId),
    {
      // A number, not a function of SWR's: it is looked at when it changes, not when the timer of before has run out.
      refreshInterval: intervalOf(runtime, isVisible),
      refreshWhenHidden: true,
      // SWR would take a look that was just made for this one (`dedupingInterval`): what came since would wait.
      revalidateOnFocus: false,
      dedupingInterval: 500,
      onErrorRetry(error, _key, _config, revalidate, { retryCount }) {
        const asked = failureOf(error).retryAfterSeconds ?? 0;
        const backOff = Math.min(2_000 * 2 ** retryCount, 60_000) * (0.5 + Math.random() / 2);
        setTimeout(() => void revalidate({ retryCount }), Math.max(asked * 1_000, backOff));
      },
    },
  );
  useReturn(mutate);
  return null;
}

/** With an interval of 0 there is nothing to look for: a closed chat, or a reply that brings the news itself. */
async function whenDue(runtime: ChatRuntime, chatId: string | null): Promise<null> {
  const isOnScreen = runtime.getState().chatId === chatId;
  if (isOnScreen && intervalOf(runtime, isVisibleNow()) > 0) await runtime.sync();
  return null;
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
