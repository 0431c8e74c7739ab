import { useEffect, useState } from "react";
import useSWR from "swr";
import { conversationName } from "#lib/conversation/conversation-ref.ts";
import { failureOf } from "#lib/conversation/failure.ts";
import { pollInterval } from "#lib/conversation/polling.ts";
import { modeOf, statusOf } from "#lib/conversation/selectors.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";

/**
 * Looks for news of the conversation on screen: at once when the page gets the focus or the network back, else at the
 * pace of `pollInterval`. One tab of a browser does it and tells the others.
 */
export function ConversationSync({ runtime, leads }: { runtime: ChatRuntime; leads: boolean }) {
  const { chatId, history } = runtime.getState();
  const isReadable = chatId !== null && history.state === "ready";
  const interval = () =>
    pollInterval({
      mode: modeOf(runtime.getState()),
      isVisible: document.visibilityState === "visible",
      isBusy: statusOf(runtime.getState()) !== "idle",
    });

  useSWR(leads && isReadable ? ["chat-news", chatId] : null, () => whenDue(runtime, interval), {
    refreshInterval: () => interval() || 60_000,
    refreshWhenHidden: true,
    focusThrottleInterval: 500,
    dedupingInterval: 500,
    onErrorRetry(error, _key, _config, revalidate, { retryCount }) {
      const asked = failureOf(error).retryAfterSeconds ?? 0;
      const backOff = Math.min(2_000 * 2 ** retryCount, 60_000) * (0.5 + Math.random() / 2);
      setTimeout(() => void revalidate({ retryCount }), Math.max(asked * 1_000, backOff));
    },
  });
  return null;
}

/** With an interval of 0 there is nothing to look for: a closed chat, or a reply that brings the news itself. */
async function whenDue(runtime: ChatRuntime, interval: () => number): Promise<null> {
  if (interval() > 0) await runtime.sync();
  return null;
}

/** True in the one tab that polls. The tab that the customer looks at takes it over; a closed one leaves it. */
export function useLeadership(runtime: ChatRuntime): boolean {
  const [leads, setLeads] = useState(false);
  const name = conversationName(runtime.getState());
  useEffect(() => runtime.lead(name, setLeads), [runtime, name]);
  return leads;
}
