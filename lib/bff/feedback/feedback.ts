/** Passes customers' feedback to the host, which stores it. */
import { LRUCache } from "lru-cache";
import { ChatApiError } from "../../chat-api/errors.ts";
import type { FeedbackBody } from "../../chat-api/feedback.ts";
import { sharedPromise } from "../chats/shared-promise.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { Logger } from "../observability/observe.ts";
import { askHost } from "../session/ask-host.ts";
import type { Customer } from "../session/customer.ts";

export interface Feedback extends FeedbackBody {
  /**
   * The press. It is the same when the chat repeats a call whose outcome it does not know, so a host that
   * stores feedback by this ID stores each press once.
   */
  id: string;
  /** The customer who is signed in; null for a guest. */
  customer: Customer | null;
  chatId: string;
}

/** Stores feedback. When it throws or rejects, the page repeats the press for a while. */
export type OnFeedback = (feedback: Feedback) => Promise<void> | void;

export function createTakeFeedback(onFeedback: OnFeedback, log: Logger) {
  /** The bodies of recent presses by ID: the process calls the host once for each that succeeds. */
  const recent = new LRUCache<string, Promise<string>>({ max: bffLimits.recentFeedback });

  /** @throws ChatApiError `service_unavailable` if the host fails, `idempotency_conflict` */
  return async (feedback: Feedback): Promise<void> => {
    const { id, customer, chatId, ...body } = feedback;
    const content = JSON.stringify(body);
    const store = () => askHost(log, "onFeedback", () => onFeedback(feedback));
    const stored = await sharedPromise(recent, id, () => store().then(() => content));
    if (stored !== content) throw new ChatApiError("idempotency_conflict");
  };
}
