/** How often the chat looks for news. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import { conversationLimits } from "./limits.ts";

export interface PollingSituation {
  mode: ChatMode;
  isVisible: boolean;
  /** A reply is being streamed to this tab: its end brings the news. */
  isBusy: boolean;
}

/** Milliseconds until the next poll; 0 for none. Without a teammate only the customer makes news, in other tabs or devices. */
export function pollInterval({ mode, isVisible, isBusy }: PollingSituation): number {
  if (mode === "resolved" || isBusy) return 0;
  const withTeam = mode === "waiting" || mode === "teammate";
  if (isVisible) return withTeam ? conversationLimits.pollWithTeam : conversationLimits.pollWithAgent;
  return withTeam ? conversationLimits.pollHidden : conversationLimits.pollHiddenWithAgent;
}
