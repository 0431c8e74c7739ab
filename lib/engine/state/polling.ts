/** The intervals at which the chat polls. */
import { errorRules } from "../../chat-api/errors.ts";
import * as conversationLimits from "../limits.ts";
import { answeredElsewhere, isOver, modeOf, statusOf } from "./selectors.ts";
import type { ConversationState } from "./state.ts";

/**
 * Milliseconds until the next poll; 0 for none: the chat is over, or a turn in progress brings the news
 * itself. While the agent has the chat, news comes from the customer's other tabs and devices: often while an
 * answer is being written there.
 */
export function pollInterval(state: ConversationState, isVisible: boolean): number {
  // The last messages of a chat that has closed may be unread.
  const isRead = state.syncFailure === null || errorRules[state.syncFailure.code].ends === "gone";
  if ((isOver(state) && isRead) || statusOf(state) !== "idle") return 0;
  const isOften = modeOf(state) !== "agent" || answeredElsewhere(state) !== null;
  if (isVisible) return isOften ? conversationLimits.pollWithTeam : conversationLimits.pollWithAgent;
  return isOften ? conversationLimits.pollHidden : conversationLimits.pollHiddenWithAgent;
}
