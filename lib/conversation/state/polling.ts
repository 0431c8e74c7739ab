/** The intervals at which the chat polls. */
import type { ChatMode } from "../../chat-api/chat.ts";
import { conversationLimits } from "../limits.ts";

export interface PollingSituation {
  mode: ChatMode;
  isVisible: boolean;
  /** A reply is streaming to this tab and will bring the news itself. */
  isBusy: boolean;
}

/**
 * Milliseconds until the next poll; 0 for none. Without a teammate, news comes only from the customer's other
 * tabs and devices.
 */
export function pollInterval({ mode, isVisible, isBusy }: PollingSituation): number {
  if (mode === "resolved" || isBusy) return 0;
  const withTeam = mode === "waiting" || mode === "teammate";
  if (isVisible) return withTeam ? conversationLimits.pollWithTeam : conversationLimits.pollWithAgent;
  return withTeam ? conversationLimits.pollHidden : conversationLimits.pollHiddenWithAgent;
}
